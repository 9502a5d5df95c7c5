import type { IncomingMessage } from 'node:http';
import type { S3Connection } from './s3-connection.ts';
import { SilentStore, withStoreErrors } from './s3-error.ts';

/**
 * The body of a response, read on demand. The connection is closed on cancel, failure and abort. Slow
 * readers are fine: the silence limit and the guard apply only while the store is waited for.
 */
export function streamResponse(
  response: IncomingMessage,
  connection: Pick<S3Connection, 'guard' | 'silenceMs'>,
  signal?: AbortSignal,
): ReadableStream<Uint8Array> {
  // The request's timeout would also count the reader's pauses.
  response.socket.setTimeout(0);
  const body = new GuardedBody(response, connection);
  let abort: () => void;
  const end = (): void => {
    signal?.removeEventListener('abort', abort);
    response.destroy();
  };
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        abort = () => {
          controller.error(signal?.reason);
          end();
        };
        signal?.addEventListener('abort', abort, { once: true });
      },
      pull: async (controller) => {
        try {
          const chunk = await withStoreErrors(() => body.next(signal), signal);
          if (chunk.done !== true) {
            controller.enqueue(chunk.value);
            return;
          }
        } catch (error) {
          end();
          throw error;
        }
        end();
        controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
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
