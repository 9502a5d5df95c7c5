import { createHash } from 'node:crypto';
import type { S3Connection } from './s3-connection.ts';

/** S3 wants parts of at least 5 MiB, except for the last, and at most 10,000 of them. */
export const PART_BYTES = 8 * 1024 * 1024;
const CLEAN_UP_MS = 2_000;

export interface LargeObject {
  readonly key: string;
  readonly bytes: Buffer;
}

/**
 * Stores an object by a multipart upload. The object appears with the last step, which is not aborted,
 * so that its outcome is known. The SDK's own multipart upload resumes unfinished ones, and leaves its
 * parts behind when it fails.
 *
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function putInParts(
  connection: S3Connection,
  object: LargeObject,
  signal?: AbortSignal,
): Promise<void> {
  const target = { bucketName: connection.bucket, objectName: object.key };
  const uploadId = await connection.call(
    (client) => client.initiateNewMultipartUpload(target.bucketName, target.objectName, {}),
    signal,
  );
  const upload: Upload = { ...target, query: `uploadId=${encodeURIComponent(uploadId)}` };
  try {
    const parts: Part[] = [];
    for (const bytes of partsOf(object.bytes)) {
      const part = parts.length + 1;
      parts.push({ part, etag: await putPart(connection, { upload, part, bytes }, signal) });
    }
    signal?.throwIfAborted();
    await connection.call((client) =>
      client.completeMultipartUpload(target.bucketName, target.objectName, uploadId, parts),
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
  /** With the upload id escaped, which the SDK's own abort request omits. */
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

/** Aborts an upload and frees its parts. */
export async function abortUpload(
  connection: S3Connection,
  upload: Upload,
  signal?: AbortSignal,
): Promise<void> {
  const request = { ...upload, method: 'DELETE' };
  await connection.call((client) => client.makeRequestAsyncOmit(request, '', [204]), signal);
}
