import { randomBytes, randomUUID } from 'node:crypto';
import type { S3Connection } from './s3-connection.ts';

/** Of the keys of trials; none is the key of an image. */
export const TRIALS = 'sightline-trials/';
/** About what a small image takes. */
const TRIAL_BYTES = 64 * 1024;

/**
 * Stores something and removes it again, to see whether the store takes anything.
 *
 * @throws StoreUnavailable as a put would
 */
export async function tryOut(connection: S3Connection): Promise<void> {
  const { bucket } = connection;
  // Each time elsewhere, because a store of many disks may be full on some; and nothing that a store
  // may have already, or that is shorter than it looks.
  const key = `${TRIALS}${randomUUID()}`;
  const body = randomBytes(TRIAL_BYTES);
  const { versionId } = await connection.call((client) =>
    client.putObject(bucket, key, body, body.length),
  );
  // A bucket with versions would keep one that is removed by its key alone.
  const version = versionId == null ? {} : { versionId };
  await connection.call((client) => client.removeObject(bucket, key, version));
}
