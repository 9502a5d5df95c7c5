import { createHash } from 'node:crypto';
import type { S3Connection } from './s3-connection.ts';

/** S3 takes no less but for the last part, and keeps at most 10,000 of them. */
export const PART_BYTES = 8 * 1024 * 1024;
const CLEAN_UP_MS = 2_000;

export interface LargeObject {
  readonly key: string;
  readonly bytes: Buffer;
}

/**
 * Stores an object by a multipart upload: nothing is visible before its last step, which is not
 * aborted, so that it is known whether the object is there. The SDK's own upload of that kind looks
 * for one that was left off, and leaves its parts behind when it fails.
 *
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function putInParts(
  connection: S3Connection,
  object: LargeObject,
  signal?: AbortSignal,
): Promise<void> {
  const place = { bucketName: connection.bucket, objectName: object.key };
  const uploadId = await connection.call(
    (client) => client.initiateNewMultipartUpload(place.bucketName, place.objectName, {}),
    signal,
  );
  const upload: Upload = { ...place, query: `uploadId=${encodeURIComponent(uploadId)}` };
  try {
    const parts: Part[] = [];
    for (const bytes of partsOf(object.bytes)) {
      const part = parts.length + 1;
      parts.push({ part, etag: await putPart(connection, { upload, part, bytes }, signal) });
    }
    signal?.throwIfAborted();
    await connection.call((client) =>
      client.completeMultipartUpload(place.bucketName, place.objectName, uploadId, parts),
    );
  } catch (error) {
    await abortUpload(connection, upload, AbortSignal.timeout(CLEAN_UP_MS)).catch(() => undefined);
    throw error;
  }
}

interface Part {
  readonly part: number;
  readonly etag: string;
}

export interface Upload {
  readonly bucketName: string;
  readonly objectName: string;
  /** Escaped, as the SDK's own request to abort does not have it. */
  readonly query: string;
}

function* partsOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
}

async function putPart(
  connection: S3Connection,
  {
    upload,
    part,
    bytes,
  }: { readonly upload: Upload; readonly part: number; readonly bytes: Buffer },
  signal?: AbortSignal,
): Promise<string> {
  const { headers } = await connection.call((client) => {
    const digest = createHash('md5').update(bytes).digest('base64');
    const query = `partNumber=${part}&${upload.query}`;
    const request = { ...upload, method: 'PUT', query, headers: { 'Content-MD5': digest } };
    return client.makeRequestAsyncOmit(request, bytes);
  }, signal);
  return (headers.etag ?? '').replaceAll('"', '');
}

/** Gives up an upload, and frees what its parts take. */
export async function abortUpload(
  connection: S3Connection,
  upload: Upload,
  signal?: AbortSignal,
): Promise<void> {
  const request = { ...upload, method: 'DELETE' };
  await connection.call((client) => client.makeRequestAsyncOmit(request, '', [204]), signal);
}
