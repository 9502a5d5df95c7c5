import type { IncomingMessage } from 'node:http';
import { streamOf } from '@sightline/core/media/stream-of';
import type { S3Connection } from './s3-connection.ts';
import { SilentStore, withStoreErrors } from './s3-error.ts';

/**
 * Streams the body of a response, and closes the connection unless the body was read to its end. The reader may be slow,
 * because the silence limit and the guard only apply while this waits for the store.
 */
export function streamResponse(
  response: IncomingMessage,
  connection: Pick<S3Connection, 'guard' | 'silenceMs'>,
  signal?: AbortSignal,
): ReadableStream<Uint8Array> {
  // The request's own timeout is turned off, because it would also count the pauses of the reader.
  response.socket.setTimeout(0);
  const body = new GuardedBody(response, connection);
  const next = async (): Promise<Uint8Array | null> => {
    const chunk = await withStoreErrors(() => body.next(signal), signal);
    return chunk.done === true ? null : chunk.value;
  };
  return streamOf({ next, close: () => void response.destroy() }, signal);
}

class GuardedBody {
  readonly #response: IncomingMessage;
  readonly #connection: Pick<S3Connection, 'guard' | 'silenceMs'>;
  readonly #chunks: AsyncIterator<Uint8Array>;

  constructor(response: IncomingMessage, connection: Pick<S3Connection, 'guard' | 'silenceMs'>) {
    this.#response = response;
    this.#connection = connection;
    this.#chunks = response[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
  }

  /** Returns data that has already arrived without using the guard. */
  next(signal?: AbortSignal): Promise<IteratorResult<Uint8Array, unknown>> {
    if (this.#response.readableLength > 0) return this.#chunks.next();
    return this.#connection.guard((guarded) => this.#wait(guarded), signal);
  }

  async #wait(signal: AbortSignal): Promise<IteratorResult<Uint8Array, unknown>> {
    const { silenceMs } = this.#connection;
    const timer = setTimeout(() => this.#response.destroy(new SilentStore()), silenceMs);
    const cut = (): void => void this.#response.destroy();
    signal.addEventListener('abort', cut, { once: true });
    try {
      return await this.#chunks.next();
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', cut);
    }
  }
}
