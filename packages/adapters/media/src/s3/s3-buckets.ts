import { S3Connection } from './s3-connection.ts';
import { failureOf } from './s3-error.ts';
import { getObject, listPage, type ObjectPage, wholeSize } from './s3-objects.ts';
import type { S3Options } from './s3-options.ts';
import { streamResponse } from './stream-response.ts';

/** The most objects that S3 lists in one request. */
const PAGE = 1000;

interface BucketRange {
  readonly bucket: string;
  readonly key: string;
  readonly offset: number;
}

interface BucketObject {
  /** The size of the whole object, in bytes. */
  readonly size: number;
  readonly etag: string | null;
  /** The bytes from the offset on. The caller reads or cancels the stream. */
  readonly body: ReadableStream<Uint8Array>;
}

/** Reads objects from any bucket of the installation's S3 server, for example models. */
export class S3Buckets implements Disposable {
  readonly #options: S3Options;
  readonly #connections = new Map<string, S3Connection>();

  constructor(options: S3Options) {
    this.#options = options;
  }

  /**
   * Opens an object. Returns null if the object does not exist, or has no bytes from the offset on.
   *
   * @throws StoreUnavailable; the signal's reason on abort
   */
  async open(
    { bucket, key, offset }: BucketRange,
    signal: AbortSignal,
  ): Promise<BucketObject | null> {
    const connection = this.#connectionTo(bucket);
    const range = offset === 0 ? undefined : `bytes=${offset}-`;
    try {
      const response = await getObject(connection, { key, range }, signal);
      if (response === null) return null;
      const size = wholeSize(response);
      const etag = response.headers.etag ?? null;
      return { size, etag, body: streamResponse(response, connection, signal) };
    } catch (error) {
      if (failureOf(error) === 'InvalidRange') return null;
      throw error;
    }
  }

  /**
   * Lists the keys that start with a prefix, in the order in which S3 lists them.
   *
   * @throws StoreUnavailable; the signal's reason on abort
   */
  async keys(
    { bucket, prefix }: { readonly bucket: string; readonly prefix: string },
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    const connection = this.#connectionTo(bucket);
    const keys: string[] = [];
    for (let token: string | null = ''; token !== null;) {
      const page: ObjectPage = await listPage(connection, { prefix, token, size: PAGE }, signal);
      keys.push(...page.entries.map(({ key }) => key));
      token = page.next;
    }
    return keys;
  }

  [Symbol.dispose](): void {
    for (const connection of this.#connections.values()) connection[Symbol.dispose]();
  }

  #connectionTo(bucket: string): S3Connection {
    const known = this.#connections.get(bucket);
    if (known !== undefined) return known;
    const connection = new S3Connection({ ...this.#options, bucket });
    this.#connections.set(bucket, connection);
    return connection;
  }
}
