import { randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  Installation,
  InstallationStore,
} from '@sightline/core/installation/installation-store';
import type { DataFolder } from '@sightline/platform/data-folder/data-folder';
import { writeDurably } from '@sightline/platform/data-folder/write-durably';
import { StartError } from '@sightline/platform/lifecycle/start-error';

/** The name of a file that marks a data folder with images. The database stores the content of this file. */
const MARK_FILE = 'media-folder';

export type MediaFolder = Pick<DataFolder, 'path' | 'media'>;

export interface LocationDeps {
  readonly installation: InstallationStore;
  /** Null for a process without a data folder. */
  readonly folder: MediaFolder | null;
  /** The name of the database in error messages. */
  readonly rows: string;
}

export interface ExternalBucket {
  /** The name of the bucket and its server in messages. The database stores this text. */
  readonly location: string;
  /** The id of the installation that owns the bucket; null if the bucket has no owner. */
  owner(): Promise<string | null>;
  /** Makes an installation the owner, unless the bucket already has an owner. */
  claim(owner: string): Promise<void>;
}

export type FilesDeps = LocationDeps & { readonly folder: MediaFolder };

/**
 * Makes sure that the images of the database are in this data folder. In a wrong folder, all images would seem to be
 * lost. A new installation claims the folder.
 *
 * @throws StartError if the images are in a bucket or in another folder
 */
export async function requireFiles(deps: FilesDeps): Promise<void> {
  const { installation, folder } = deps;
  const known = await installation.read();
  if (known.media !== null) return refuseOtherFiles(deps, known);
  const location = (await readMark(folder)) ?? (await writeMark(folder));
  const settled = await installation.replace(known, {
    ...known,
    media: { kind: 'files', location },
  });
  await refuseOtherFiles(deps, settled);
}

/**
 * Works like {@link requireFiles}, but a new installation does not claim the folder. For commands.
 *
 * @throws StartError if the images are in a bucket or in another folder
 */
export async function requireKnownFiles(deps: FilesDeps): Promise<void> {
  const known = await deps.installation.read();
  if (known.media !== null) await refuseOtherFiles(deps, known);
}

/**
 * Makes sure that the images of the database are in this bucket, and that no other installation uses the bucket. In a
 * shared bucket, each installation would delete the images of the other one as orphans. A new installation claims a
 * bucket without an owner.
 *
 * @throws StartError if the images are stored elsewhere, or the bucket belongs to another installation; errors of the
 *   bucket
 */
export async function requireBucket(deps: LocationDeps, bucket: ExternalBucket): Promise<void> {
  const { installation } = deps;
  const known = await installation.read();
  const owner = await bucket.owner();
  refuseOtherBucket(deps, bucket.location, { known, owner });
  await refuseFilesLeftBehind(deps, known);
  // The bucket is claimed before the database is updated. After a crash between the two steps, this installation
  // already owns the bucket.
  if (owner === null) {
    await bucket.claim(known.id);
    // Several installations may try to claim the bucket at the same time, and only one of them succeeds.
    refuseOtherBucket(deps, bucket.location, { known, owner: await bucket.owner() });
  }
  if (known.media?.kind === 'bucket' && known.media.location === bucket.location) return;
  const { location } = bucket;
  const settled = await installation.replace(known, {
    ...known,
    media: { kind: 'bucket', location },
  });
  refuseOtherBucket(deps, location, { known: settled, owner: known.id });
}

/**
 * Works like {@link requireBucket}, but a new installation does not claim the bucket. For commands.
 *
 * @throws StartError if the images are stored elsewhere, or the bucket belongs to another installation
 */
export async function requireKnownBucket(
  deps: LocationDeps,
  bucket: Omit<ExternalBucket, 'claim'>,
): Promise<void> {
  const known = await deps.installation.read();
  if (known.media?.kind === 'files') {
    throw new StartError(
      `The images of ${deps.rows} are files in a data folder: unset SIGHTLINE_S3_ENDPOINT, as for the service.`,
    );
  }
  const owner = await bucket.owner();
  refuseOtherBucket(deps, bucket.location, { known, owner });
  if (owner !== null) return;
  throw new StartError(
    `The installation in ${deps.rows} has no bucket yet: start the service once; it then uses ${bucket.location}.`,
  );
}

async function refuseOtherFiles({ folder, rows }: FilesDeps, { media }: Installation) {
  if (media?.kind === 'bucket') {
    throw new StartError(
      `The images of ${rows} are in ${media.location}: set SIGHTLINE_S3_ENDPOINT and its credentials, as before.`,
    );
  }
  if (media?.location === (await readMark(folder))) return;
  throw new StartError(
    `The images of ${rows} are files in another data folder than ${folder.path}: set SIGHTLINE_DATA to that folder, which only one process can use at a time, or store images in S3 (SIGHTLINE_S3_ENDPOINT).`,
  );
}

function refuseOtherBucket(
  { rows }: LocationDeps,
  location: string,
  { known, owner }: { readonly known: Installation; readonly owner: string | null },
): void {
  if (owner !== null && owner !== known.id) {
    throw new StartError(
      `There are images of another installation in ${location}: set SIGHTLINE_S3_BUCKET to a separate bucket for this installation.`,
    );
  }
  if (owner !== null || known.media?.kind !== 'bucket') return;
  if (known.media.location === location) {
    throw new StartError(
      `The images of ${rows} were in ${location}, but the bucket contains none of them: restore the bucket.`,
    );
  }
  throw new StartError(
    `The images of ${rows} are in ${known.media.location}, not in ${location}: set SIGHTLINE_S3_ENDPOINT and SIGHTLINE_S3_BUCKET as before.`,
  );
}

async function refuseFilesLeftBehind({ folder, rows }: LocationDeps, known: Installation) {
  if (known.media?.kind === 'bucket') return;
  if (
    known.media !== null &&
    (folder === null || known.media.location !== (await readMark(folder)))
  ) {
    throw new StartError(
      `The images of ${rows} are files in a data folder: either start the service on that folder without SIGHTLINE_S3_ENDPOINT, or copy the content of its folder media/objects into the bucket and then run \`sightline media release\`.`,
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
    `The images of ${path} are files in ${objects}: unset SIGHTLINE_S3_ENDPOINT, or copy the content of that folder into the bucket and move the folder elsewhere.`,
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
