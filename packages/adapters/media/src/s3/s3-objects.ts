import type { IncomingMessage } from 'node:http';
import type { S3Connection } from './s3-connection.ts';
import { failureOf, toStoreUnavailable } from './s3-error.ts';

interface SoughtObject {
  readonly key: string;
  /** The header `Range`; the whole object is read if absent. */
  readonly range?: string | undefined;
}

/**
 * Requests an object; null if it does not exist. The caller must read or destroy the response.
 *
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function getObject(
  connection: S3Connection,
  { key, range }: SoughtObject,
  signal?: AbortSignal,
): Promise<IncomingMessage | null> {
  const headers = range === undefined ? {} : { range };
  const request = { method: 'GET', bucketName: connection.bucket, objectName: key, headers };
  // Only status 206 is accepted for a range, so that the request fails if the store ignores ranges and sends the
  // whole object with status 200.
  const expected = [range === undefined ? 200 : 206];
  try {
    // The SDK's own method for reading an object does not return the size of the object.
    return await connection.read(
      (client) => client.makeRequestAsync(request, '', expected),
      signal,
    );
  } catch (error) {
    if (failureOf(error) === 'NoSuchKey') return null;
    throw error;
  }
}

/**
 * Reads the size of the whole object, in bytes, from a response that may contain only a range of the object.
 *
 * @throws StoreUnavailable if the headers do not contain the size
 */
export function wholeSize(response: IncomingMessage): number {
  const { headers } = response;
  const range = /\/(\d+)$/.exec(headers['content-range'] ?? '');
  const size = Number(range?.[1] ?? headers['content-length']);
  if (Number.isSafeInteger(size)) return size;
  // The connection must be closed, because the body of this response is never read.
  response.destroy();
  throw toStoreUnavailable({ code: 'InvalidLength' });
}

/** Stores an object that fits into one request. */
export async function putObject(
  connection: S3Connection,
  { key, body }: { readonly key: string; readonly body: Buffer },
  signal?: AbortSignal,
): Promise<void> {
  await connection.call(
    (client) => client.putObject(connection.bucket, key, body, body.length),
    signal,
  );
}

export interface ObjectPage {
  readonly entries: readonly ListedObject[];
  /** The token of the next page; null after the last one. */
  readonly next: string | null;
}

export interface ListedObject {
  readonly key: string;
  readonly size: number;
  /** The age in ms by the store's clock. */
  readonly ageMs: number;
}

interface PageToList {
  readonly prefix: string;
  /** The token of the page; empty for the first one. */
  readonly token: string;
  readonly size: number;
}

export async function listPage(
  connection: S3Connection,
  { prefix, token, size }: PageToList,
  signal?: AbortSignal,
): Promise<ObjectPage> {
  const found = await connection.call(
    (client) => client.listObjectsV2Query(connection.bucket, prefix, token, '', size, ''),
    signal,
  );
  const entries = found.objects.flatMap(({ name: key, size, lastModified }) =>
    // An entry without a name is a folder, which only occurs if a request has a delimiter.
    key === undefined ? [] : [{ key, size, ageMs: connection.clock.ageOf(lastModified) }],
  );
  return { entries, next: found.isTruncated ? found.nextContinuationToken : null };
}
