import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { StartError } from '../lifecycle/start-error.ts';
import type { DataFolder } from './data-folder.ts';
import { writeDurably } from './write-durably.ts';

/** In the data folder, where its images are in a bucket; without it they are files. */
const PLACE_FILE = 'media.json';

/** A bucket outside of the data folder. */
export interface OutsideBucket {
  /** For people: which bucket, and where. */
  readonly place: string;
  /** Whose the bucket is; null if it is nobody's. */
  owner(): Promise<string | null>;
  claim(owner: string): Promise<void>;
}

const schema = z.object({
  /** Names the installation in the bucket. */
  installation: z.uuid(),
  /** For people. */
  place: z.string(),
  /** Whether the bucket has been claimed; a crash may have come between. */
  claimed: z.boolean(),
});

type MediaPlace = z.infer<typeof schema>;

/**
 * Where the images of a data folder are, if not in itself; as people know it.
 *
 * @throws StartError if the file that says so is damaged
 */
export async function outsidePlace(folder: Pick<DataFolder, 'path'>): Promise<string | null> {
  const known = await readPlace(folder.path);
  return known?.claimed === true ? known.place : null;
}

/**
 * Makes sure that the images of a data folder are its own files. To start without them would make
 * every one of them look lost.
 *
 * @throws StartError if they are in a bucket
 */
export async function requireFiles(folder: Pick<DataFolder, 'path'>): Promise<void> {
  const place = await outsidePlace(folder);
  if (place === null) return;
  throw new StartError(
    `The images of ${folder.path} are in ${place}: set SIGHTLINE_S3_ENDPOINT and its credentials, as before.`,
  );
}

/**
 * Makes sure that the images of a data folder are in this bucket, and nobody else's: the images of
 * another installation would be orphans here, and be removed. A folder without images takes a bucket
 * that is nobody's.
 *
 * @throws StartError if the images are elsewhere, or the bucket is somebody else's; what asking the
 *   bucket throws
 */
export async function requireBucket(
  folder: Pick<DataFolder, 'path' | 'media'>,
  bucket: OutsideBucket,
): Promise<void> {
  const known = await readPlace(folder.path);
  const owner = await bucket.owner();
  refuseOther(folder.path, bucket.place, { known, owner });
  if (known?.claimed !== true) await refuseFiles(folder);
  const installation = known?.installation ?? randomUUID();
  const place = { installation, place: bucket.place };
  if (known === null) await writePlace(folder.path, { ...place, claimed: false });
  if (owner === null) await bucket.claim(installation);
  if (known?.claimed !== true || known.place !== bucket.place) {
    await writePlace(folder.path, { ...place, claimed: true });
  }
}

/**
 * Like `requireBucket`, for those who only look in.
 *
 * @throws StartError likewise
 */
export async function requireKnownBucket(
  folder: Pick<DataFolder, 'path'>,
  bucket: Omit<OutsideBucket, 'claim'>,
): Promise<void> {
  const known = await readPlace(folder.path);
  if (known?.claimed !== true) {
    throw new StartError(
      `The images of ${folder.path} are files: unset SIGHTLINE_S3_ENDPOINT, as for the service.`,
    );
  }
  refuseOther(folder.path, bucket.place, { known, owner: await bucket.owner() });
}

function refuseOther(
  folder: string,
  place: string,
  { known, owner }: { readonly known: MediaPlace | null; readonly owner: string | null },
): void {
  if (owner !== null && owner !== known?.installation) {
    throw new StartError(
      `There are images of another installation in ${place}: set SIGHTLINE_S3_BUCKET to a bucket of this one's own.`,
    );
  }
  if (owner === null && known?.claimed === true) {
    if (known.place === place) {
      throw new StartError(
        `The images of ${folder} were in ${place}, but nothing of them is there: restore that bucket.`,
      );
    }
    throw new StartError(
      `The images of ${folder} are in ${known.place}, not in ${place}: set SIGHTLINE_S3_ENDPOINT and SIGHTLINE_S3_BUCKET as before.`,
    );
  }
}

async function refuseFiles({ path, media }: Pick<DataFolder, 'path' | 'media'>): Promise<void> {
  const objects = join(media, 'objects');
  const names = await readdir(objects).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  if (names.length === 0) return;
  throw new StartError(
    `The images of ${path} are files in ${objects}: unset SIGHTLINE_S3_ENDPOINT, or copy what is in that folder into the bucket and move the folder away.`,
  );
}

async function readPlace(folder: string): Promise<MediaPlace | null> {
  const text = await readFile(join(folder, PLACE_FILE), 'utf8').catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new StartError(
      `The data in ${folder} cannot be used: ${PLACE_FILE} is damaged. Restore a backup.`,
      { cause: error },
    );
  }
}

async function writePlace(folder: string, place: MediaPlace): Promise<void> {
  await writeDurably(join(folder, PLACE_FILE), `${JSON.stringify(place, null, 2)}\n`);
}
