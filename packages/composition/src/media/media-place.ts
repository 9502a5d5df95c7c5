import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Installation, InstallationStore } from '@sightline/core/installation/installation-store';
import type { DataFolder } from '@sightline/platform/data-folder/data-folder';
import { writeDurably } from '@sightline/platform/data-folder/write-durably';
import { StartError } from '@sightline/platform/lifecycle/start-error';

/** In a data folder whose images are files: its name. A database knows by it which folder they are in. */
const MARK_FILE = 'media-folder';

export type MediaFolder = Pick<DataFolder, 'path' | 'media'>;

/** Rows, whose images are somewhere. */
export interface PlaceDeps {
  readonly installation: InstallationStore;
  /** The data folder; null for a process without one. */
  readonly folder: MediaFolder | null;
  /** For people: whose images they are. */
  readonly rows: string;
}

/** A bucket outside of the data folder. */
export interface OutsideBucket {
  /** For people: which bucket, and where. */
  readonly place: string;
  /** Whose the bucket is; null if it is nobody's. */
  owner(): Promise<string | null>;
  /** Makes it somebody's unless it is by now. */
  claim(owner: string): Promise<void>;
}

/** Files in a data folder. */
export type FilesDeps = PlaceDeps & { readonly folder: MediaFolder };

/**
 * Makes sure that the images of these rows are the files of this data folder. To start without them
 * would make every one of them look lost. Rows without images take the folder.
 *
 * @throws StartError if they are in a bucket, or in another folder
 */
export async function requireFiles(deps: FilesDeps): Promise<void> {
  const { installation, folder } = deps;
  const known = await installation.read();
  if (known.media !== null) return refuseOtherFiles(deps, known);
  const place = (await readMark(folder)) ?? (await writeMark(folder));
  const settled = await installation.replace(known, { ...known, media: { kind: 'files', place } });
  await refuseOtherFiles(deps, settled);
}

/**
 * Like `requireFiles`, for those who only look in.
 *
 * @throws StartError likewise
 */
export async function requireKnownFiles(deps: FilesDeps): Promise<void> {
  const known = await deps.installation.read();
  if (known.media !== null) await refuseOtherFiles(deps, known);
}

/**
 * Makes sure that the images of these rows are in this bucket, and nobody else's: the images of
 * another installation would be orphans here, and be removed. Rows without images take a bucket that
 * is nobody's.
 *
 * @throws StartError if the images are elsewhere, or the bucket is somebody else's; what asking the
 *   bucket throws
 */
export async function requireBucket(deps: PlaceDeps, bucket: OutsideBucket): Promise<void> {
  const { installation } = deps;
  const known = await installation.read();
  const owner = await bucket.owner();
  refuseOtherBucket(deps, bucket.place, { known, owner });
  await refuseFilesLeftBehind(deps, known);
  // First the bucket, then the rows: a crash in between leaves a bucket that is ours already.
  if (owner === null) {
    await bucket.claim(known.id);
    // Of several installations that claim it at once, one has it.
    refuseOtherBucket(deps, bucket.place, { known, owner: await bucket.owner() });
  }
  if (known.media?.kind === 'bucket' && known.media.place === bucket.place) return;
  const { place } = bucket;
  const settled = await installation.replace(known, { ...known, media: { kind: 'bucket', place } });
  refuseOtherBucket(deps, place, { known: settled, owner: known.id });
}

/**
 * Like `requireBucket`, for those who only look in.
 *
 * @throws StartError likewise
 */
export async function requireKnownBucket(
  deps: PlaceDeps,
  bucket: Omit<OutsideBucket, 'claim'>,
): Promise<void> {
  const known = await deps.installation.read();
  if (known.media?.kind === 'files') {
    throw new StartError(
      `The images of ${deps.rows} are files: unset SIGHTLINE_S3_ENDPOINT, as for the service.`,
    );
  }
  const owner = await bucket.owner();
  refuseOtherBucket(deps, bucket.place, { known, owner });
  if (owner !== null) return;
  throw new StartError(
    `The images of ${deps.rows} have no place yet: start the service once, which takes ${bucket.place}.`,
  );
}

async function refuseOtherFiles({ folder, rows }: FilesDeps, { media }: Installation) {
  if (media?.kind === 'bucket') {
    throw new StartError(
      `The images of ${rows} are in ${media.place}: set SIGHTLINE_S3_ENDPOINT and its credentials, as before.`,
    );
  }
  if (media?.place === (await readMark(folder))) return;
  throw new StartError(
    `The images of ${rows} are files in another data folder than ${folder.path}: set SIGHTLINE_DATA to that one, which one process uses at a time, or keep images in an S3 (SIGHTLINE_S3_ENDPOINT).`,
  );
}

function refuseOtherBucket(
  { rows }: PlaceDeps,
  place: string,
  { known, owner }: { readonly known: Installation; readonly owner: string | null },
): void {
  if (owner !== null && owner !== known.id) {
    throw new StartError(
      `There are images of another installation in ${place}: set SIGHTLINE_S3_BUCKET to a bucket of this one's own.`,
    );
  }
  if (owner !== null || known.media?.kind !== 'bucket') return;
  if (known.media.place === place) {
    throw new StartError(
      `The images of ${rows} were in ${place}, but nothing of them is there: restore that bucket.`,
    );
  }
  throw new StartError(
    `The images of ${rows} are in ${known.media.place}, not in ${place}: set SIGHTLINE_S3_ENDPOINT and SIGHTLINE_S3_BUCKET as before.`,
  );
}

async function refuseFilesLeftBehind({ folder, rows }: PlaceDeps, known: Installation) {
  if (known.media?.kind === 'bucket') return;
  if (known.media !== null && (folder === null || known.media.place !== (await readMark(folder)))) {
    throw new StartError(
      `The images of ${rows} are files in a data folder: start the service on that folder without SIGHTLINE_S3_ENDPOINT, or copy what is in its folder media/objects into the bucket, and say \`sightline media release\`.`,
    );
  }
  if (folder !== null) await refuseFilesIn(folder);
}

async function refuseFilesIn({ path, media }: MediaFolder): Promise<void> {
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

async function readMark({ path }: MediaFolder): Promise<string | null> {
  try {
    return (await readFile(join(path, MARK_FILE), 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

async function writeMark({ path }: MediaFolder): Promise<string> {
  const mark = randomUUID();
  await writeDurably(join(path, MARK_FILE), `${mark}\n`);
  return mark;
}
