import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { InstallationStore } from '@sightline/core/installation/installation-store';
import { StartError } from '@sightline/platform/lifecycle/start-error';

/** What earlier versions kept in the data folder of an installation whose images are in a bucket. */
const PLACE_FILE = 'media.json';

interface FormerPlace {
  /** The identity that the bucket knows. */
  readonly installation: string;
  readonly place: string;
  /** Whether the bucket had been claimed. */
  readonly claimed: boolean;
}

/**
 * Brings what an earlier version wrote into the data folder to its database, once. Only where that
 * database is in the same folder: another one's rows are not those of the images.
 *
 * @throws StartError if the file is damaged
 */
export async function takeOverPlace(
  installation: InstallationStore,
  folder: { readonly path: string },
): Promise<void> {
  const file = join(folder.path, PLACE_FILE);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return;
  const { installation: id, place, claimed } = parse(folder.path, text);
  const known = await installation.read();
  const media = claimed ? ({ kind: 'bucket', place } as const) : null;
  if (known.media === null) await installation.replace(known, { id, media });
  await rm(file);
}

function parse(folder: string, text: string): FormerPlace {
  try {
    const { installation, place, claimed } = JSON.parse(text) as Record<string, unknown>;
    if (typeof installation === 'string' && typeof place === 'string') {
      return { installation, place, claimed: claimed === true };
    }
  } catch {
    // As anything else that is not what was written.
  }
  throw new StartError(
    `The data in ${folder} cannot be used: ${PLACE_FILE} is damaged. Restore a backup.`,
  );
}
