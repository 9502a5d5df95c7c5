import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { StartError } from '../lifecycle/start-error.ts';
import { writeDurably } from './write-durably.ts';

/** The version of the data folder's layout. It is incremented when an older release would misread the folder. */
const FORMAT = 1;

export const VERSION_FILE = 'version.json';

/** The versions of the product and of the database that used a data folder last. */
export interface FolderVersion {
  readonly product: string;
  /** The major version of Postgres. */
  readonly postgres: number;
}

const schema = z.object({
  format: z.int(),
  product: z.string(),
  postgres: z.int(),
});

/**
 * Reads the versions that used a folder last.
 *
 * @returns undefined if the folder has no version file
 * @throws StartError if this version of Sightline cannot use the folder
 */
export async function readVersion(
  folder: string,
  own: FolderVersion,
): Promise<FolderVersion | undefined> {
  const text = await readFile(join(folder, VERSION_FILE), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const { format, ...version } = parse(folder, text);
  if (format !== FORMAT) {
    throw new StartError(
      `The data in ${folder} was written by Sightline ${version.product} in another format (${format}); this is Sightline ${own.product} (format ${FORMAT}): start Sightline ${version.product} instead.`,
    );
  }
  if (version.postgres !== own.postgres) {
    throw new StartError(
      `The database in ${folder} belongs to Postgres ${version.postgres}, but this Sightline runs Postgres ${own.postgres}: start Sightline ${version.product}, which wrote the database.`,
    );
  }
  return version;
}

function parse(folder: string, text: string): z.infer<typeof schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new StartError(
      `The data in ${folder} cannot be used: ${VERSION_FILE} is damaged. Restore a backup.`,
      { cause: error },
    );
  }
}

/** Writes the versions of a folder. After a crash, the file contains either the old or the new versions. */
export async function writeVersion(folder: string, own: FolderVersion): Promise<void> {
  const { product, postgres } = own;
  const text = `${JSON.stringify({ format: FORMAT, product, postgres }, null, 2)}\n`;
  await writeDurably(join(folder, VERSION_FILE), text);
}
