import type { IncomingMessage } from 'node:http';
import type { S3Connection } from './s3-connection.ts';
import { failureOf, toStoreUnavailable } from './s3-error.ts';

interface SoughtObject {
  readonly key: string;
  /** A header `Range`; absent: the whole object. */
  readonly range?: string | undefined;
}

/**
 * Asks for an object; null if there is none. The caller reads or destroys the answer.
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
  // A store that ignores ranges answers 200 with the whole object.
  const expected = [range === undefined ? 200 : 206];
  try {
    // The SDK's own method does not return the size.
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
 * The size of the whole object, in bytes; the response may hold only a part of it.
 *
 * @throws StoreUnavailable if the response does not say
 */
export function wholeSize(response: IncomingMessage): number {
  const { headers } = response;
  const range = /\/(\d+)$/.exec(headers['content-range'] ?? '');
  const size = Number(range?.[1] ?? headers['content-length']);
  if (Number.isSafeInteger(size)) return size;
  // The body is never read, so only this frees the connection.
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
  /** Bytes. */
  readonly size: number;
  /** By the store's clock, in ms. */
  readonly ageMs: number;
}

interface PageToList {
  readonly prefix: string;
  /** The token of the page; empty for the first one. */
  readonly token: string;
  readonly size: number;
}

/** Lists a page of the objects whose keys begin with a prefix. */
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
    // Without a delimiter there are no folders.
    key === undefined ? [] : [{ key, size, ageMs: connection.clock.ageOf(lastModified) }],
  );
  return { entries, next: found.isTruncated ? found.nextContinuationToken : null };
}
