import type { MediaStore } from '@sightline/core/media/media-store';
import { FileMediaStore } from '@sightline/media-fs/file-media-store';
import { S3MediaStore } from '@sightline/media-s3/s3-media-store';
import type { S3Settings } from '@sightline/platform/config/read-s3-settings';
import type { DataFolder } from '@sightline/platform/data-folder/data-folder';
import { requireFiles, requireKnownBucket } from '@sightline/platform/data-folder/media-place';

/**
 * The images of a data folder, wherever they are; nothing is made or changed there. Connections go
 * with the process.
 *
 * @throws StartError if they are not where the configuration says; StoreUnavailable
 */
export async function openMedia(
  folder: DataFolder,
  s3: S3Settings | null,
  signal: AbortSignal,
): Promise<MediaStore> {
  if (s3 === null) {
    await requireFiles(folder);
    return FileMediaStore.attach({ folder: folder.media });
  }
  const store = new S3MediaStore(s3);
  try {
    await requireKnownBucket(folder, {
      place: `the bucket ${s3.bucket} at ${s3.endpoint.origin}`,
      owner: () => store.owner(signal),
    });
    return store;
  } catch (error) {
    store[Symbol.dispose]();
    throw error;
  }
}
