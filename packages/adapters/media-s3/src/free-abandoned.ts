import { isMediaKey } from '@sightline/core/media/media-key';
import { abortUpload } from './put-in-parts.ts';
import type { S3Connection } from './s3-connection.ts';
import { TRIALS } from './try-out.ts';

/** No put takes as long; others may be putting to the same bucket. */
const ABANDONED_MS = 24 * 60 * 60 * 1000;
/** How much S3 lists at once. More is left for another time. */
const PAGE = 1000;

/**
 * Frees what puts and trials of long ago left behind, as far as that is possible: some stores do not
 * let everybody look. Never fails but on abort, with its reason.
 */
export async function freeAbandoned(connection: S3Connection, signal?: AbortSignal): Promise<void> {
  for (const free of [freeUploads, freeTrials]) {
    try {
      await free(connection, signal);
    } catch {
      signal?.throwIfAborted();
    }
  }
}

async function freeUploads(connection: S3Connection, signal?: AbortSignal): Promise<void> {
  const { bucket } = connection;
  const { uploads } = await connection.call(
    (client) => client.listIncompleteUploadsQuery(bucket, '', '', '', ''),
    signal,
  );
  for (const { key, uploadId, initiated } of uploads) {
    if (!isMediaKey(key) || !isAbandoned(initiated)) continue;
    const query = `uploadId=${encodeURIComponent(uploadId)}`;
    await abortUpload(connection, { bucketName: bucket, objectName: key, query }, signal);
  }
}

async function freeTrials(connection: S3Connection, signal?: AbortSignal): Promise<void> {
  const { bucket } = connection;
  const { objects } = await connection.call(
    (client) => client.listObjectsV2Query(bucket, TRIALS, '', '', PAGE, ''),
    signal,
  );
  const keys = objects.flatMap(({ name, lastModified }) =>
    name !== undefined && isAbandoned(lastModified) ? [name] : [],
  );
  if (keys.length === 0) return;
  await connection.call((client) => client.removeObjects(bucket, keys), signal);
}

function isAbandoned(since: Date): boolean {
  return Date.now() - since.getTime() >= ABANDONED_MS;
}
