import { createHash } from 'node:crypto';
import { type LocalFile, piecesOf } from '@sightline/core/media/local-file';
import type { S3Connection } from './s3-connection.ts';

/** The size of most parts. S3 requires at least 5 MiB, except for the last part, and allows at most 10,000 parts. */
export const PART_BYTES = 8 * 1024 * 1024;
const MAX_PARTS = 10_000;
const CLEAN_UP_MS = 2_000;

export interface LargeObject {
  readonly key: string;
  /** The bytes of the object. All parts have the same size, except that the last part may be smaller. */
  readonly parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

/**
 * Stores an object by a multipart upload. The last request creates the object; it ignores the signal, because after an
 * abort the outcome would be unknown. The SDK's own multipart upload is not used, because it leaves parts behind after a
 * failure.
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
    for await (const bytes of object.parts) {
      const part = parts.length + 1;
      const etag = await putPart(connection, { upload, part, bytes: asBuffer(bytes) }, signal);
      parts.push({ part, etag });
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
  /** The escaped upload id. The SDK's own abort request does not escape the id. */
  readonly query: string;
}

/** Returns the size of the parts for an object of the given size, so that there are at most {@link MAX_PARTS}. */
function partBytes(size: number): number {
  return Math.max(PART_BYTES, Math.ceil(size / MAX_PARTS));
}

export function* partsOf(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
}

/** Reads the parts of a file. Only one part at a time is in memory. */
export function partsOfFile(file: LocalFile): AsyncIterable<Uint8Array> {
  return piecesOf(file, partBytes(file.size));
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

/** Returns the same bytes as a Buffer, because the SDK requires one. */
export function asBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}

export async function abortUpload(
  connection: S3Connection,
  upload: Upload,
  signal?: AbortSignal,
): Promise<void> {
  const request = { ...upload, method: 'DELETE' };
  await connection.call((client) => client.makeRequestAsyncOmit(request, '', [204]), signal);
}
