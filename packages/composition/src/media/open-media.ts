import { DomainError } from '@sightline/core/domain-error';
import type { MediaStore } from '@sightline/core/media/media-store';
import { FileMediaStore } from '@sightline/media-fs/file-media-store';
import type { S3Settings } from '@sightline/platform/config/read-s3-settings';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { awaitDependency, type Patience } from '../await-dependency.ts';
import type { StoreSettings } from '../store-settings.ts';
import type { Watchers } from '../watch-service.ts';
import {
  type FilesDeps,
  type PlaceDeps,
  requireBucket,
  requireFiles,
  requireKnownBucket,
  requireKnownFiles,
} from './media-place.ts';

/**
 * Opens where the images of these rows are: in a bucket if an S3 is given, else in the data folder.
 * The S3 adapter is loaded only if it is used.
 *
 * @throws StartError if they cannot be used, or are elsewhere
 */
export async function openMedia(
  deps: PlaceDeps,
  { s3, storageReserve }: Pick<StoreSettings, 's3' | 'storageReserve'>,
  patience: Patience & Watchers,
): Promise<MediaStore & Disposable> {
  return s3 === null
    ? openFiles(requireFolder(deps), storageReserve)
    : openBucket(deps, s3, patience);
}

/**
 * The images of these rows, for those who look in: nothing is made or changed there.
 *
 * @throws StartError if they are not where the configuration says; StoreUnavailable
 */
export async function lookAtMedia(
  deps: PlaceDeps,
  s3: S3Settings | null,
  signal: AbortSignal,
): Promise<MediaStore & Disposable> {
  if (s3 === null) {
    const files = requireFolder(deps);
    await requireKnownFiles(files);
    return withoutEnd(FileMediaStore.attach({ folder: files.folder.media }));
  }
  const { S3MediaStore } = await import('@sightline/media-s3/s3-media-store');
  using opening = new DisposableStack();
  const store = opening.use(new S3MediaStore(s3));
  await requireKnownBucket(deps, { place: placeOf(s3), owner: () => store.owner(signal) });
  opening.move();
  return store;
}

function requireFolder(deps: PlaceDeps): FilesDeps {
  const { folder } = deps;
  if (folder !== null) return { ...deps, folder };
  throw new StartError(
    `There is no data folder for the images of ${deps.rows}: set SIGHTLINE_DATA to that of the service, or SIGHTLINE_S3_ENDPOINT.`,
  );
}

async function openFiles(deps: FilesDeps, reserveBytes: number): Promise<MediaStore & Disposable> {
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

async function openBucket(
  deps: PlaceDeps,
  s3: S3Settings,
  patience: Patience & Watchers,
): Promise<MediaStore & Disposable> {
  const { signal } = patience;
  const { watchBucket } = await import('./watch-bucket.ts');
  using opening = new DisposableStack();
  const store = opening.use(watchBucket(s3, patience));
  const place = placeOf(s3);
  await awaitDependency(`The images in ${place}`, patience, () =>
    requireBucket(deps, {
      place,
      owner: () => store.owner(signal),
      claim: (name) => store.claim(name, signal),
    }),
  );
  await store.freeAbandoned(signal);
  opening.move();
  return store;
}

function placeOf({ bucket, endpoint }: S3Settings): string {
  return `the bucket ${bucket} at ${endpoint.origin}`;
}

function withoutEnd<T extends object>(store: T): T & Disposable {
  return Object.assign(store, { [Symbol.dispose]: () => undefined });
}
