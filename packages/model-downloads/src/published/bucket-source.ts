import { type StoreRefusal, StoreUnavailable } from '@sightline/core/store/store-errors';
import { SourceFailed } from '../source-failed.ts';
import type { OpenedSource, OpeningRange, PublishedSource } from './published-source.ts';
import { SourceInterrupted } from './source-interrupted.ts';

/** The bytes of an object from an offset to its end. */
export interface BucketRange {
  readonly bucket: string;
  readonly key: string;
  /** The first byte to read. */
  readonly offset: number;
}

/** The part of an object that an S3 server returned. */
export interface BucketObject {
  /** The size of the whole object, in bytes. */
  readonly size: number;
  readonly etag: string | null;
  readonly body: ReadableStream<Uint8Array>;
}

/**
 * Opens an object of the installation's S3 server.
 *
 * @returns null if the object does not exist or has no bytes from the offset on
 * @throws StoreUnavailable; the signal's reason on abort
 */
export type OpenBucketObject = (
  range: BucketRange,
  signal: AbortSignal,
) => Promise<BucketObject | null>;

/** The source for `s3://<bucket>/<key>` on the installation's S3 server. */
export class BucketSource implements PublishedSource {
  readonly name: string;
  readonly #object: { readonly bucket: string; readonly key: string };
  readonly #openObject: OpenBucketObject | null;

  /**
   * @param openObject null if the installation has no S3 server
   * @throws SourceFailed if the path is not a key
   */
  constructor(url: URL, openObject: OpenBucketObject | null) {
    this.name = `The bucket ${url.host}`;
    this.#object = { bucket: url.host, key: keyOf(url) };
    this.#openObject = openObject;
  }

  async open({ offset, validator }: OpeningRange, signal: AbortSignal): Promise<OpenedSource> {
    const found = await onBucket(() => this.#open(offset, signal), signal);
    if (found === null && offset > 0) throw changed();
    if (found === null) throw new SourceFailed('has no such object', { reason: 'not_found' });
    const { size: total, etag } = found;
    if (offset > 0 && (etag !== validator || offset > total)) {
      await found.body.cancel();
      throw changed();
    }
    return { start: offset, total, validator: etag, body: readBody(found, signal) };
  }

  #open(offset: number, signal: AbortSignal): Promise<BucketObject | null> {
    if (this.#openObject === null) {
      throw new SourceFailed('cannot be read, because SIGHTLINE_S3_ENDPOINT is not set');
    }
    return this.#openObject({ ...this.#object, offset }, signal);
  }
}

function keyOf({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname.slice(1));
  } catch (cause) {
    throw new SourceFailed('has an address that is not a valid object key', {
      cause,
      reason: 'not_found',
    });
  }
}

function changed(): SourceInterrupted {
  return new SourceInterrupted('has replaced the object since the download began', {
    isChanged: true,
  });
}

async function* readBody({ body }: BucketObject, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await onBucket(() => reader.read(), signal);
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

const REFUSALS: Readonly<Record<StoreRefusal, string>> = {
  access_denied: 'refuses these credentials',
  not_found: 'does not exist',
};

/** The failure of a bucket, as a clause that follows the bucket's name. */
export function bucketFailure({ message, refusal }: StoreUnavailable): string {
  return refusal === null ? `cannot be read: ${message}` : REFUSALS[refusal];
}

async function onBucket<T>(step: () => Promise<T>, signal: AbortSignal): Promise<T> {
  try {
    return await step();
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof StoreUnavailable)) throw error;
    const { refusal: reason } = error;
    if (reason !== null) throw new SourceFailed(bucketFailure(error), { reason, cause: error });
    throw new SourceInterrupted(bucketFailure(error), { cause: error });
  }
}
