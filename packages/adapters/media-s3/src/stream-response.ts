import type { IncomingMessage } from 'node:http';
import type { S3Connection } from './s3-connection.ts';
import { SilentStore, withStoreErrors } from './s3-error.ts';

/**
 * The body of an answer, read as it is asked for. The connection is closed on cancel, failure and
 * abort. A reader may take its time: only the store may not, and is guarded while it is waited for.
 */
export function streamResponse(
  response: IncomingMessage,
  connection: Pick<S3Connection, 'guard' | 'silenceMs'>,
  signal?: AbortSignal,
): ReadableStream<Uint8Array> {
  // The time-out of the request would count the pauses of the reader.
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

  /** What has arrived is given as it is: the guard has no say in it. */
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
