import { DomainError } from '@sightline/core/domain-error';
import type { MediaStore } from '@sightline/core/media/media-store';
import { FileMediaStore } from '@sightline/media-fs/file-media-store';
import { S3MediaStore } from '@sightline/media-s3/s3-media-store';
import type { S3Settings } from '@sightline/platform/config/read-s3-settings';
import type { DataFolder } from '@sightline/platform/data-folder/data-folder';
import { requireBucket, requireFiles } from '@sightline/platform/data-folder/media-place';
import { StartError } from '@sightline/platform/lifecycle/start-error';

/**
 * Opens where the images are: in a bucket if an S3 is given, else in the data folder.
 *
 * @throws StartError if they cannot be used, or if this folder's images are elsewhere
 */
export async function openMedia(
  folder: DataFolder,
  s3: S3Settings | null,
  signal: AbortSignal,
): Promise<MediaStore & Disposable> {
  return s3 === null ? openFiles(folder) : openBucket(folder, s3, signal);
}

async function openFiles(folder: DataFolder): Promise<MediaStore & Disposable> {
  await requireFiles(folder);
  const place = `The images in ${folder.media}`;
  const files = await orExplain(place, () => FileMediaStore.open({ folder: folder.media }));
  return Object.assign(files, { [Symbol.dispose]: () => undefined });
}

async function openBucket(
  folder: DataFolder,
  s3: S3Settings,
  signal: AbortSignal,
): Promise<MediaStore & Disposable> {
  const place = `the bucket ${s3.bucket} at ${s3.endpoint.origin}`;
  const store = new S3MediaStore(s3);
  try {
    await orExplain(`The images in ${place}`, async () => {
      const owner = () => store.owner(signal);
      await requireBucket(folder, { place, owner, claim: (name) => store.claim(name, signal) });
      await store.freeAbandoned(signal);
    });
    return store;
  } catch (error) {
    store[Symbol.dispose]();
    throw error;
  }
}

async function orExplain<T>(what: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new StartError(`${what} cannot be used: ${error.message}`, { cause: error });
  }
}
