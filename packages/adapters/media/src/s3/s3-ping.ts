import { S3Connection } from './s3-connection.ts';
import type { S3Identity } from './s3-identity.ts';
import type { S3Options } from './s3-options.ts';

/** The timeout is longer than the caller's, so that the caller can distinguish a hang from a refused connection. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Sends minimal requests to an S3 over separate connections. */
export class S3Ping implements Disposable {
  readonly #connection: S3Connection;

  constructor(options: Omit<S3Options, 'guard' | 'requireAnswer'>, identity?: S3Identity) {
    const { connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
    this.#connection = new S3Connection({ ...options, connectTimeoutMs }, identity);
  }

  /** @throws StoreUnavailable if the store does not answer, or refuses the request; the signal's reason on abort */
  async ping(signal: AbortSignal): Promise<void> {
    const request = { method: 'HEAD', bucketName: this.#connection.bucket };
    await this.#connection.call((client) => client.makeRequestAsyncOmit(request), signal);
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }
}
