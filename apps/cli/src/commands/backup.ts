import { connectionOf, databaseName } from '@sightline/composition/database/name-database';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { POSTGRES_MAJOR } from '@sightline/embedded-postgres/ensure-cluster';
import type { Command, CommandInput } from '../command.ts';
import { openInstallation } from '../open-installation.ts';
import { backupDataFolder } from '../backup/backup-data-folder.ts';

/** `sightline backup`: prints the path of the backup. */
export const backup: Command = {
  options: {
    to: { type: 'string', default: './backups' },
    'without-images': { type: 'boolean', default: false },
  },
  operands: [],
  async run(input) {
    const { options, data, version, print, note } = input;
    refuseOutsideDatabase(input);
    const place = await outsideImages(input);
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

/** Half a backup is none. */
function refuseOutsideDatabase({ stores, data }: CommandInput): void {
  const { database, s3 } = stores();
  if (database === null) return;
  const images = s3 === null ? `the folder media of ${data}` : `the bucket ${s3.bucket}`;
  throw new StartError(
    `The rows are in ${databaseName(connectionOf(database))}, which a backup does not hold: back that up with pg_dump, and copy ${images} after it.`,
  );
}

/** Where images are that are not in the data folder; null if they are there. */
async function outsideImages(input: CommandInput): Promise<string | null> {
  await using opened = await openInstallation(input);
  const { media } = await opened.installation.read();
  return media?.kind === 'bucket' ? media.place : null;
}
