import { S3Connection } from './s3-connection.ts';
import type { S3Options } from './s3-options.ts';

/** Longer than the caller's own limit, so that the caller can tell a hang from a refused connection. */
const CONNECT_TIMEOUT_MS = 10_000;

/** Sends an S3 a minimal request over a connection of its own. */
export class S3Ping implements Disposable {
  readonly #connection: S3Connection;

  constructor(options: Omit<S3Options, 'guard' | 'requireAnswer'>) {
    const { connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
    this.#connection = new S3Connection({ ...options, connectTimeoutMs });
  }

  /** @throws StoreUnavailable, also for a refusal; the signal's reason on abort */
  async ping(signal: AbortSignal): Promise<void> {
    const request = { method: 'HEAD', bucketName: this.#connection.bucket };
    await this.#connection.call((client) => client.makeRequestAsyncOmit(request), signal);
  }

  [Symbol.dispose](): void {
    this.#connection[Symbol.dispose]();
  }
}
