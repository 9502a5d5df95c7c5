import { DomainError } from '@sightline/core/domain-error';
import type { PackStore } from '@sightline/core/models/pack-store';
import { FilePackStore } from '@sightline/media/fs/file-pack-store';
import type { S3Settings } from '@sightline/platform/config/read-s3-settings';
import type { DataFolder } from '@sightline/platform/data-folder/data-folder';
import { StartError } from '@sightline/platform/lifecycle/start-error';

export interface PackStoreDeps {
  /** The bucket of the installation; null if the installation has no bucket. */
  readonly s3: S3Settings | null;
  /** The data folder, which this process has locked; null for a process without a data folder. */
  readonly folder: Pick<DataFolder, 'models'> | null;
  /** The number of free bytes on the disk below which nothing is stored. */
  readonly reserveBytes: number;
}

/**
 * Opens the store of model packs in the bucket, or otherwise in the data folder. Without a bucket and a data folder it
 * returns null, because other processes could not read what this process downloads. Sends no request to the bucket yet,
 * and loads the S3 adapter on demand.
 *
 * @throws StartError if the folder cannot be used
 */
export async function openPackStore({
  s3,
  folder,
  reserveBytes,
}: PackStoreDeps): Promise<(PackStore & Partial<Disposable>) | null> {
  if (s3 !== null) {
    const { S3PackStore } = await import('@sightline/media/s3/s3-pack-store');
    return new S3PackStore(s3);
  }
  return folder === null ? null : openFolder(folder.models, reserveBytes);
}

async function openFolder(folder: string, reserveBytes: number): Promise<PackStore> {
  try {
    return await FilePackStore.open({ folder, reserveBytes });
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new StartError(`The models in ${folder} cannot be used: ${error.message}`, {
      cause: error,
    });
  }
}
