import { connectionOf } from '@sightline/composition/database/connection-of';
import { databaseName } from '@sightline/composition/database/database-name';
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
    refuseExternalDatabase(input);
    const location = await externalImages(input);
    if (location !== null && options['without-images'] !== true) {
      throw new StartError(
        `The images are in ${location}, which a backup does not include: copy the bucket as well, and add --without-images.`,
      );
    }
    const path = await backupDataFolder({
      data,
      note,
      to: String(options.to),
      version: { product: version, postgres: POSTGRES_MAJOR },
    });
    print(path);
    if (location !== null) note(`It does not contain the images, which are in ${location}.`);
  },
};

/**
 * @throws StartError if the rows are in an external database, because a copy of the data folder would not contain the
 *   rows
 */
function refuseExternalDatabase({ stores, data }: CommandInput): void {
  const { database, s3 } = stores();
  if (database === null) return;
  const images = s3 === null ? `the folder media of ${data}` : `the bucket ${s3.bucket}`;
  throw new StartError(
    `The service stores its data in ${databaseName(connectionOf(database))}, which a backup does not include: back it up with pg_dump, and then copy ${images}.`,
  );
}

/** The bucket that contains the images; null if the images are in the data folder. */
async function externalImages(input: CommandInput): Promise<string | null> {
  await using opened = await openInstallation(input);
  const { media } = await opened.installation.read();
  return media?.kind === 'bucket' ? media.location : null;
}
