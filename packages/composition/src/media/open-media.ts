import { DomainError } from '@sightline/core/domain-error';
import type { MediaStore } from '@sightline/core/media/media-store';
import { FileMediaStore } from '@sightline/media/fs/file-media-store';
import type { S3Settings } from '@sightline/platform/config/read-s3-settings';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { awaitDependency, type StartupWait } from '../await-dependency.ts';
import type { DependencyObservers } from '../watch-service.ts';
import {
  type FilesDeps,
  type LocationDeps,
  requireBucket,
  requireFiles,
  requireKnownBucket,
  requireKnownFiles,
} from './media-location.ts';

/**
 * Opens the images of the database for a command. Nothing is created or changed.
 *
 * @throws StartError if the images are stored elsewhere than configured; StoreUnavailable
 */
export async function openMediaAsIs(
  deps: LocationDeps,
  s3: S3Settings | null,
  signal: AbortSignal,
): Promise<MediaStore & Disposable> {
  if (s3 === null) {
    const files = requireFolder(deps);
    await requireKnownFiles(files);
    return withoutEnd(FileMediaStore.attach({ folder: files.folder.media }));
  }
  const { S3MediaStore } = await import('@sightline/media/s3/s3-media-store');
  using opening = new DisposableStack();
  const store = opening.use(new S3MediaStore(s3));
  await requireKnownBucket(deps, { location: locationOf(s3), owner: () => store.owner(signal) });
  opening.move();
  return store;
}

function requireFolder(deps: LocationDeps): FilesDeps {
  const { folder } = deps;
  if (folder !== null) return { ...deps, folder };
  throw new StartError(
    `There is no data folder for the images of ${deps.rows}: set SIGHTLINE_DATA to that of the service, or SIGHTLINE_S3_ENDPOINT.`,
  );
}

/**
 * Opens the images of the database in the data folder.
 *
 * @param reserveBytes the number of free bytes on the disk below which no image is stored
 * @throws StartError if the folder cannot be used, or the images are stored elsewhere
 */
export async function openFiles(
  deps: FilesDeps,
  reserveBytes: number,
): Promise<MediaStore & Disposable> {
  const { folder } = deps;
  await requireFiles(deps);
  try {
    return withoutEnd(await FileMediaStore.open({ folder: folder.media, reserveBytes }));
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new StartError(`The images in ${folder.media} cannot be used: ${error.message}`, {
      cause: error,
    });
  }
}

/**
 * Opens the images of the database in a bucket, once its server is available. Loads the S3 adapter on demand.
 *
 * @throws StartError if the bucket cannot be used, or the images are stored elsewhere
 */
export async function openBucket(
  deps: LocationDeps,
  s3: S3Settings,
  wait: StartupWait & DependencyObservers,
): Promise<MediaStore & Disposable> {
  const { signal } = wait;
  const { watchBucket } = await import('./watch-bucket.ts');
  using opening = new DisposableStack();
  const store = opening.use(watchBucket(s3, wait));
  const location = locationOf(s3);
  await awaitDependency(`The images in ${location}`, wait, () =>
    requireBucket(deps, {
      location,
      owner: () => store.owner(signal),
      claim: (name) => store.claim(name, signal),
    }),
  );
  await store.freeAbandoned(signal);
  opening.move();
  return store;
}

function locationOf({ bucket, endpoint }: S3Settings): string {
  return `the bucket ${bucket} at ${endpoint.origin}`;
}

function withoutEnd<T extends object>(store: T): T & Disposable {
  return Object.assign(store, { [Symbol.dispose]: () => undefined });
}
