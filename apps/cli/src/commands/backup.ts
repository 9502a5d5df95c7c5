import { POSTGRES_MAJOR } from '@sightline/postgres-embedded/ensure-cluster';
import type { Command } from '../command.ts';
import { backupDataFolder } from '../transfer/backup-data-folder.ts';

/** `sightline backup`: prints the path of the backup. */
export const backup: Command = {
  name: 'backup',
  usage: '[--to FOLDER]',
  summary: 'Stops the service and copies its data into a folder of FOLDER (./backups).',
  options: { to: { type: 'string', default: './backups' } },
  operands: [],
  async run({ options, data, version, print, note }) {
    const path = await backupDataFolder({
      ...{ data, note },
      to: String(options.to),
      version: { product: version, postgres: POSTGRES_MAJOR },
    });
    print(path);
  },
};
