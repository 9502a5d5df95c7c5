import { isMediaKey } from '@sightline/core/media/media-key';
import { PACK_PREFIX } from './pack-keys.ts';
import { abortUpload } from './put-in-parts.ts';
import type { S3Connection } from './s3-connection.ts';

/** The age from which an upload is abandoned, in ms. A put of another process never takes that long. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;

/**
 * Aborts up to 1,000 multipart uploads that crashes have left behind. Errors of the store are ignored, because the
 * credentials may not allow listing uploads.
 *
 * @throws only the signal's reason, on abort
 */
export async function freeAbandoned(connection: S3Connection, signal?: AbortSignal): Promise<void> {
  try {
    await freeUploads(connection, signal);
  } catch {
    signal?.throwIfAborted();
  }
}

async function freeUploads(connection: S3Connection, signal?: AbortSignal): Promise<void> {
  const { bucket } = connection;
  const { uploads } = await connection.call(
    (client) => client.listIncompleteUploadsQuery(bucket, '', '', '', ''),
    signal,
  );
  for (const { key, uploadId, initiated } of uploads) {
    const isOurs = isMediaKey(key) || key.startsWith(PACK_PREFIX);
    if (!isOurs || connection.clock.ageOf(initiated) < ABANDONED_MS) continue;
    const query = `uploadId=${encodeURIComponent(uploadId)}`;
    await abortUpload(connection, { bucketName: bucket, objectName: key, query }, signal);
  }
}
