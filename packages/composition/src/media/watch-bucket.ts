import { toStoreUnavailable } from '@sightline/media/s3/s3-error';
import { S3Identity } from '@sightline/media/s3/s3-identity';
import { S3MediaStore } from '@sightline/media/s3/s3-media-store';
import { S3Ping } from '@sightline/media/s3/s3-ping';
import type { S3Settings } from '@sightline/platform/config/read-s3-settings';
import { type DependencyObservers, watchService } from '../watch-service.ts';

/**
 * Opens a bucket. While its S3 server is unavailable, requests fail at once instead of waiting. The pings keep temporary
 * keys current, so an outage of the token service is noticed before the keys expire.
 */
export function watchBucket(s3: S3Settings, observers: DependencyObservers): S3MediaStore {
  using opening = new DisposableStack();
  const identity = new S3Identity(s3.keys, observers);
  const connection = opening.use(new S3Ping(s3, identity));
  const ping = (signal: AbortSignal) => connection.ping(signal);
  const service = { name: 'media', ping, unavailable: toStoreUnavailable };
  const { guard, requireAnswer } = opening.use(watchService(service, observers));
  const store = new S3MediaStore({ ...s3, guard, requireAnswer }, identity);
  // The method is bound now, because `Object.assign` below replaces it.
  opening.defer(store[Symbol.dispose].bind(store));
  const resources = opening.move();
  return Object.assign(store, { [Symbol.dispose]: () => resources.dispose() });
}
