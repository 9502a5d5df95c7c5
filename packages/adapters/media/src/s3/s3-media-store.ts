import { createHash } from 'node:crypto';
import { type ByteRange, requireRange } from '@sightline/core/media/byte-range';
import type { LocalFile } from '@sightline/core/media/local-file';
import { isMediaKey } from '@sightline/core/media/media-key';
import type { MediaEntry, MediaObject, MediaStore } from '@sightline/core/media/media-store';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import type { RequireAnswer } from '@sightline/platform/resilience/guard';
import { freeAbandoned } from './free-abandoned.ts';
import { asBuffer, PART_BYTES, partsOf, partsOfFile, putInParts } from './put-in-parts.ts';
import { S3Connection } from './s3-connection.ts';
import { failureOf, S3Failure, withStoreErrors } from './s3-error.ts';
import type { S3Identity } from './s3-identity.ts';
import { getObject, listPage, type ObjectPage, putObject, wholeSize } from './s3-objects.ts';
import type { S3Options } from './s3-options.ts';
import { S3Room } from './s3-room.ts';
import { streamResponse } from './stream-response.ts';

/** The most objects that S3 lists or removes in one request. */
const PAGE = 1000;
const CLEAN_UP_MS = 2_000;
/** The object that contains the identity of the owning installation. Lists skip it, because it is not a media key. */
const OWNER_KEY = 'sightline-installation';
/**
 * The error codes for an object that does not exist. For a HEAD request, the store cannot send a body, so the SDK
 * reports only `NotFound`.
 */
const ABSENT = new Set(['NoSuchKey', 'NotFound']);
/** The error codes of a conditional put if the object exists, or another client is storing it now. */
const TAKEN = new Set(['PreconditionFailed', 'ConditionalRequestConflict']);

/**
 * Stores objects in one bucket of an S3, under their keys. Several processes may use the bucket at the same time.
 *
 * If a put is aborted although the store has already finished it, the object is removed. If that fails, too, the
 * object stays without a row in the database, and the collection of orphans removes it later.
 */
export class S3MediaStore implements MediaStore, Disposable {
  readonly #connection: S3Connection;
  readonly #requireAnswer: RequireAnswer;
  readonly #room: S3Room;

  constructor(options: S3Options, identity?: S3Identity) {
    this.#connection = new S3Connection(options, identity);
    this.#requireAnswer = options.requireAnswer ?? ((signal) => this.#listOne(signal));
    this.#room = new S3Room();
  }

  /**
   * Checks that the bucket can be read. Creates the bucket if it does not exist.
   *
   * @throws StoreUnavailable with a sentence that says what is wrong
   */
  async prepare(signal?: AbortSignal): Promise<void> {
    if (!(await this.#exists(signal))) await this.#makeBucket(signal);
  }

  /**
   * Reads the identity of the installation that owns the bucket; null if no installation has claimed the bucket, or if
   * the bucket does not exist.
   *
   * @throws StoreUnavailable with a sentence that says what is wrong
   */
  async owner(signal?: AbortSignal): Promise<string | null> {
    // The bucket is listed first, because listing fails if the server is a web server and no S3. On such a server the
    // GET below might succeed and return a page.
    if (!(await this.#exists(signal))) return null;
    const response = await getObject(this.#connection, { key: OWNER_KEY }, signal);
    if (response === null) return null;
    const chunks = await Array.fromAsync(streamResponse(response, this.#connection, signal));
    return Buffer.concat(chunks).toString().trim();
  }

  /**
   * Claims the bucket unless it has an owner. Creates the bucket if it does not exist. If several installations claim the
   * bucket at once, one of them becomes the owner; `owner` returns which one.
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
      // The store does not support conditional puts. With an ordinary put, the last of several claims wins.
      if (code !== 'NotImplemented') throw error;
      await putObject(this.#connection, { key: OWNER_KEY, body }, signal);
    }
  }

  /**
   * Aborts multipart uploads that crashes have left behind, if the store allows that.
   *
   * @throws only the signal's reason, on abort
   */
  freeAbandoned(signal?: AbortSignal): Promise<void> {
    return freeAbandoned(this.#connection, signal);
  }

  async put(key: string, bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    requireKey(key);
    signal?.throwIfAborted();
    const body = asBuffer(bytes);
    await this.#room.watch(() =>
      body.length > PART_BYTES
        ? putInParts(this.#connection, { key, parts: partsOf(body) }, signal)
        : this.#putOrDiscard(key, body, signal),
    );
  }

  async putFile(key: string, file: LocalFile, signal?: AbortSignal): Promise<void> {
    requireKey(key);
    signal?.throwIfAborted();
    if (file.size <= PART_BYTES) {
      await this.put(key, await file.read({ offset: 0, size: file.size }), signal);
    } else {
      const object = { key, parts: partsOfFile(file) };
      await this.#room.watch(() => putInParts(this.#connection, object, signal));
    }
  }

  async open(key: string, range?: ByteRange, signal?: AbortSignal): Promise<MediaObject | null> {
    requireKey(key);
    if (range !== undefined) requireRange(range);
    try {
      const sought = { key, range: range && rangeHeader(range) };
      const response = await getObject(this.#connection, sought, signal);
      if (response === null) return null;
      const size = wholeSize(response);
      return { size, body: streamResponse(response, this.#connection, signal) };
    } catch (error) {
      if (failureOf(error) !== 'InvalidRange') throw error;
      return this.#openPastTheEnd(key, signal);
    }
  }

  /** May take long: MinIO removes a large object only after all readers of the object have finished. */
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
          'The media store refused to remove objects.',
          {},
          { cause: new S3Failure('DeleteResult') },
        );
      }
    }
  }

  async *list(prefix: string, signal?: AbortSignal): AsyncIterable<MediaEntry> {
    signal?.throwIfAborted();
    // Media keys only have prefixes of this form, and MinIO answers some other prefixes with an error.
    if (!/^(\d+(\/[0-9a-z./-]*)?)?$/.test(prefix) || /\/\/|\.\./.test(prefix)) return;
    for (let token: string | null = ''; token !== null;) {
      const page: ObjectPage = await listPage(
        this.#connection,
        { prefix, token, size: PAGE },
        signal,
      );
      for (const entry of page.entries) {
        signal?.throwIfAborted();
        if (isMediaKey(entry.key)) yield entry;
      }
      token = page.next;
    }
  }

  /** Always returns null, because S3 does not report free space. @throws StoreUnavailable if the store does not answer */
  async freeBytes(signal?: AbortSignal): Promise<null> {
    await this.#listOne(signal);
    return null;
  }

  /** Also throws if a put was refused less than {@link REFUSAL_COUNTS_MS} ago because the bucket is full. */
  async requireAnswer(signal?: AbortSignal): Promise<void> {
    await withStoreErrors(async () => {
      this.#room.requireNoRecentRefusal();
      await this.#requireAnswer(signal);
    }, signal);
    signal?.throwIfAborted();
  }

  async check(signal?: AbortSignal): Promise<void> {
    await this.requireAnswer(signal);
    this.#room.requireNoRefusal();
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }

  async #putOrDiscard(key: string, body: Buffer, signal?: AbortSignal): Promise<void> {
    try {
      await putObject(this.#connection, { key, body }, signal);
    } catch (error) {
      // The store may have received the whole object before the abort.
      if (signal?.aborted === true) await this.#discard(key);
      throw error;
    }
  }

  /** Opens a range after the end of an object, which S3 refuses. The body is empty, but the size must be correct. */
  async #openPastTheEnd(key: string, signal?: AbortSignal): Promise<MediaObject | null> {
    const { bucket } = this.#connection;
    try {
      const { size } = await this.#connection.call(
        (client) => client.statObject(bucket, key),
        signal,
      );
      return { size, body: new Blob([]).stream() };
    } catch (error) {
      if (ABSENT.has(failureOf(error) ?? '')) return null;
      throw error;
    }
  }

  async #listOne(signal?: AbortSignal): Promise<void> {
    await listPage(this.#connection, { prefix: '', token: '', size: 1 }, signal);
  }

  async #exists(signal?: AbortSignal): Promise<boolean> {
    try {
      await this.#listOne(signal);
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
      // Another process has just created the bucket. If instead another account owns a bucket of this name, the next
      // request fails.
      if (code === 'BucketAlreadyOwnedByYou' || code === 'BucketAlreadyExists') return;
      if (code !== 'AccessDenied') throw error;
      const sentence = 'The bucket does not exist, and these credentials may not create it.';
      throw new StoreUnavailable(sentence, {}, { cause: error });
    }
  }

  async #discard(key: string): Promise<void> {
    await this.remove([key], AbortSignal.timeout(CLEAN_UP_MS)).catch(() => undefined);
  }
}

function requireKey(key: string): void {
  if (!isMediaKey(key)) throw new RangeError('The given key is not a valid key of a media object.');
}

function rangeHeader(range: ByteRange): string {
  return 'lastBytes' in range
    ? `bytes=-${range.lastBytes}`
    : `bytes=${range.first}-${range.last ?? ''}`;
}
