import { outsidePlace } from '@sightline/platform/data-folder/media-place';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { POSTGRES_MAJOR } from '@sightline/postgres-embedded/ensure-cluster';
import type { Command } from '../command.ts';
import { backupDataFolder } from '../transfer/backup-data-folder.ts';

/** `sightline backup`: prints the path of the backup. */
export const backup: Command = {
  name: 'backup',
  usage: '[--to FOLDER] [--without-images]',
  summary: 'Stops the service and copies its data into a folder of FOLDER (./backups).',
  options: {
    to: { type: 'string', default: './backups' },
    'without-images': { type: 'boolean', default: false },
  },
  operands: [],
  async run({ options, data, version, print, note }) {
    const place = await outsidePlace({ path: data });
    if (place !== null && options['without-images'] !== true) {
      throw new StartError(
        `The images are in ${place}, which a backup does not hold: copy the bucket as well, and say --without-images.`,
      );
    }
    const path = await backupDataFolder({
      ...{ data, note },
      to: String(options.to),
      version: { product: version, postgres: POSTGRES_MAJOR },
    });
    print(path);
    if (place !== null) note(`The images are not in it: they are in ${place}.`);
  },
};
