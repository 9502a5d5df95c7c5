import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type ByteRange, requireRange } from '@sightline/core/media/byte-range';
import { isMediaKey } from '@sightline/core/media/media-key';
import type { MediaEntry, MediaObject, MediaStore } from '@sightline/core/media/media-store';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import type { RequireAnswer } from '@sightline/platform/resilience/guard';
import { orAbort } from '@sightline/platform/resilience/or-abort';
import { freeAbandoned } from './free-abandoned.ts';
import { PART_BYTES, putInParts } from './put-in-parts.ts';
import { S3Connection } from './s3-connection.ts';
import { failureOf, S3Failure, toStoreUnavailable, withStoreErrors } from './s3-error.ts';
import type { S3Options } from './s3-options.ts';
import { S3Room } from './s3-room.ts';
import { tryOut } from './try-out.ts';
import { streamResponse } from './stream-response.ts';

/** What S3 takes and gives at once. */
const PAGE = 1000;
const CLEAN_UP_MS = 2_000;
/** Tells whose bucket it is. It is no media key, so that lists leave it out. */
const OWNER_KEY = 'sightline-installation';
/** What an S3 answers where the object is there, or is being put by somebody else. */
const TAKEN = new Set(['PreconditionFailed', 'ConditionalRequestConflict']);

/**
 * Objects in one bucket of an S3, under their keys. Several processes may use it at once.
 *
 * An object is there with the answer to its put. What an abort leaves behind of a put that the store
 * had finished is removed as far as possible; the rest is an object without a row, and is collected.
 * Ages are compared with this machine's clock: S3 refuses requests whose clock is 15 minutes off.
 */
export class S3MediaStore implements MediaStore, Disposable {
  readonly #connection: S3Connection;
  readonly #requireAnswer: RequireAnswer;
  readonly #room: S3Room;

  constructor(options: S3Options) {
    this.#connection = new S3Connection(options);
    this.#requireAnswer = options.requireAnswer ?? ((signal) => this.#askForOne(signal));
    this.#room = new S3Room({ tryOut: () => tryOut(this.#connection) });
  }

  /**
   * Looks whether the bucket can be read, and makes it if it is absent.
   *
   * @throws StoreUnavailable with a sentence that says what is wrong
   */
  async prepare(signal?: AbortSignal): Promise<void> {
    if (!(await this.#exists(signal))) await this.#makeBucket(signal);
  }

  /**
   * Whose the bucket is; null if nobody has claimed it, or if it is absent.
   *
   * @throws StoreUnavailable with a sentence that says what is wrong
   */
  async owner(signal?: AbortSignal): Promise<string | null> {
    // A list tells an S3 from what answers anything to everything.
    if (!(await this.#exists(signal))) return null;
    const response = await this.#get(OWNER_KEY, {}, signal);
    if (response === null) return null;
    const chunks = await Array.fromAsync(streamResponse(response, this.#connection, signal));
    return Buffer.concat(chunks).toString().trim();
  }

  /**
   * Makes the bucket somebody's unless it is by now, and makes it if it is absent. Several may claim
   * it at once: whose it is, `owner` tells afterwards.
   *
   * @throws StoreUnavailable with a sentence that says what is wrong
   */
  async claim(owner: string, signal?: AbortSignal): Promise<void> {
    await this.prepare(signal);
    const { bucket } = this.#connection;
    const body = Buffer.from(`${owner}\n`);
    const digest = createHash('md5').update(body).digest('base64');
    const headers = { 'If-None-Match': '*', 'Content-MD5': digest };
    const request = { method: 'PUT', bucketName: bucket, objectName: OWNER_KEY, headers };
    try {
      await this.#connection.call((client) => client.makeRequestAsyncOmit(request, body), signal);
    } catch (error) {
      const code = failureOf(error) ?? '';
      if (TAKEN.has(code)) return;
      // A store that knows no conditions has the last word of several.
      if (code !== 'NotImplemented') throw error;
      await this.#putWhole(OWNER_KEY, body, signal);
    }
  }

  /**
   * Frees what puts and trials of long ago left behind, as far as that is possible: some stores do that
   * by themselves, others do not let everybody look. Never fails but on abort, with its reason.
   */
  freeAbandoned(signal?: AbortSignal): Promise<void> {
    return freeAbandoned(this.#connection, signal);
  }

  async put(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    requireKey(key);
    signal?.throwIfAborted();
    const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    await this.#room.watch(() =>
      body.length > PART_BYTES
        ? putInParts(this.#connection, { key, bytes: body }, signal)
        : this.#putOrDiscard(key, body, signal),
    );
  }

  async open(key: string, range?: ByteRange, signal?: AbortSignal): Promise<MediaObject | null> {
    requireKey(key);
    if (range !== undefined) requireRange(range);
    try {
      const asked = range && { range: rangeHeader(range) };
      const response = await this.#get(key, asked ?? {}, signal);
      if (response === null) return null;
      const size = wholeSize(response);
      return { size, body: streamResponse(response, this.#connection, signal) };
    } catch (error) {
      if (failureOf(error) !== 'InvalidRange') throw error;
      return this.#openBehindTheEnd(key, signal);
    }
  }

  /** MinIO removes a large object when those who read it have read on; it is waited for as for all. */
  async remove(keys: readonly string[], signal?: AbortSignal): Promise<void> {
    keys.forEach(requireKey);
    signal?.throwIfAborted();
    for (let at = 0; at < keys.length; at += PAGE) {
      const batch = keys.slice(at, at + PAGE);
      const refused = await this.#connection.call(
        (client) => client.removeObjects(this.#connection.bucket, batch),
        signal,
      );
      if (refused.length > 0) {
        throw new StoreUnavailable(
          'The media store refuses to remove objects.',
          {},
          { cause: new S3Failure('DeleteResult') },
        );
      }
    }
  }

  async *list(prefix: string, signal?: AbortSignal): AsyncIterable<MediaEntry> {
    signal?.throwIfAborted();
    // MinIO answers an error to some of what no key can begin with.
    if (!/^(\d+(\/[0-9a-z./-]*)?)?$/.test(prefix) || /\/\/|\.\./.test(prefix)) return;
    for (let token: string | null = ''; token !== null;) {
      const page: Page = await this.#page({ prefix, token, size: PAGE }, signal);
      for (const entry of page.entries) {
        signal?.throwIfAborted();
        if (isMediaKey(entry.key)) yield entry;
      }
      token = page.next;
    }
  }

  /** An S3 does not tell; but that it answers is found out. */
  async freeBytes(signal?: AbortSignal): Promise<null> {
    await this.#askForOne(signal);
    return null;
  }

  /** Also that there is room: a store that is full answers whatever is not a put. */
  async requireAnswer(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.#room.requireNotRefused();
    await withStoreErrors(() => this.#requireAnswer(signal), signal);
    signal?.throwIfAborted();
    await orAbort(this.#room.require(), signal);
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }

  async #putOrDiscard(key: string, body: Buffer, signal?: AbortSignal): Promise<void> {
    try {
      await this.#putWhole(key, body, signal);
    } catch (error) {
      // The store may have had all of it by then.
      if (signal?.aborted === true) await this.#discard(key);
      throw error;
    }
  }

  async #putWhole(key: string, body: Buffer, signal?: AbortSignal): Promise<void> {
    const { bucket } = this.#connection;
    await this.#connection.call(
      (client) => client.putObject(bucket, key, body, body.length),
      signal,
    );
  }

  async #get(
    key: string,
    headers: Record<string, string>,
    signal?: AbortSignal,
  ): Promise<IncomingMessage | null> {
    const { bucket } = this.#connection;
    const request = { method: 'GET', bucketName: bucket, objectName: key, headers };
    // One that does not keep to ranges would answer 200 with everything.
    const expected = [headers.range === undefined ? 200 : 206];
    try {
      // The SDK's own method does not tell the size.
      return await this.#connection.call(
        (client) => client.makeRequestAsync(request, '', expected),
        signal,
      );
    } catch (error) {
      if (failureOf(error) === 'NoSuchKey') return null;
      throw error;
    }
  }

  async #openBehindTheEnd(key: string, signal?: AbortSignal): Promise<MediaObject | null> {
    const response = await this.#get(key, {}, signal);
    if (response === null) return null;
    response.destroy();
    return { size: wholeSize(response), body: new Blob([]).stream() };
  }

  async #page(
    {
      prefix,
      token,
      size,
    }: { readonly prefix: string; readonly token: string; readonly size: number },
    signal?: AbortSignal,
  ): Promise<Page> {
    const { bucket } = this.#connection;
    const found = await this.#connection.call(
      (client) => client.listObjectsV2Query(bucket, prefix, token, '', size, ''),
      signal,
    );
    const entries = found.objects.flatMap((object) =>
      // Without a delimiter there are no folders.
      object.name === undefined
        ? []
        : [{ key: object.name, size: object.size, modifiedAt: object.lastModified }],
    );
    return { entries, next: found.isTruncated ? found.nextContinuationToken : null };
  }

  async #askForOne(signal?: AbortSignal): Promise<void> {
    await this.#page({ prefix: '', token: '', size: 1 }, signal);
  }

  async #exists(signal?: AbortSignal): Promise<boolean> {
    try {
      await this.#askForOne(signal);
      return true;
    } catch (error) {
      if (failureOf(error) === 'NoSuchBucket') return false;
      throw error;
    }
  }

  async #makeBucket(signal?: AbortSignal): Promise<void> {
    const { bucket } = this.#connection;
    try {
      await this.#connection.call((client) => client.makeBucket(bucket), signal);
    } catch (error) {
      const code = failureOf(error);
      // Another process was faster. Some stores say no more than that the name is taken; if that
      // is by somebody else, they refuse what is wanted of the bucket next.
      if (code === 'BucketAlreadyOwnedByYou' || code === 'BucketAlreadyExists') return;
      if (code !== 'AccessDenied') throw error;
      const sentence = 'The bucket does not exist, and these credentials may not make it.';
      throw new StoreUnavailable(sentence, {}, { cause: error });
    }
  }

  async #discard(key: string): Promise<void> {
    await this.remove([key], AbortSignal.timeout(CLEAN_UP_MS)).catch(() => undefined);
  }
}

interface Page {
  readonly entries: readonly MediaEntry[];
  /** Where the next page begins; null after the last one. */
  readonly next: string | null;
}

/**
 * Of the object, of which the answer may hold a part.
 *
 * @throws StoreUnavailable if the answer does not tell
 */
function wholeSize(response: IncomingMessage): number {
  const { headers } = response;
  const range = /\/(\d+)$/.exec(headers['content-range'] ?? '');
  const size = Number(range?.[1] ?? headers['content-length']);
  if (Number.isSafeInteger(size)) return size;
  // Nobody will read it, and the connection is not free before that.
  response.destroy();
  throw toStoreUnavailable({ code: 'InvalidLength' });
}

function requireKey(key: string): void {
  if (!isMediaKey(key)) throw new RangeError('That is not the key of a media object.');
}

function rangeHeader(range: ByteRange): string {
  return 'lastBytes' in range
    ? `bytes=-${range.lastBytes}`
    : `bytes=${range.first}-${range.last ?? ''}`;
}
