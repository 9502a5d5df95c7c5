import type { IncomingMessage } from 'node:http';
import { SilentStore, withStoreErrors } from './s3-error.ts';

/**
 * The body of an answer, read as it is asked for. The connection is closed on cancel, failure and
 * abort. A reader may take its time: only the store may not.
 */
export function streamResponse(
  response: IncomingMessage,
  silenceMs: number,
  signal?: AbortSignal,
): ReadableStream<Uint8Array> {
  // The time-out of the request would count the pauses of the reader.
  response.socket.setTimeout(0);
  const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
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
        const chunk = await withStoreErrors(() => within(silenceMs, { chunks, response }), signal);
        if (chunk.done !== true) {
          controller.enqueue(chunk.value);
          return;
        }
        end();
        controller.close();
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  );
}

async function within(
  silenceMs: number,
  from: { readonly chunks: AsyncIterator<Uint8Array>; readonly response: IncomingMessage },
): Promise<IteratorResult<Uint8Array, unknown>> {
  const timer = setTimeout(() => from.response.destroy(new SilentStore()), silenceMs);
  try {
    return await from.chunks.next();
  } finally {
    clearTimeout(timer);
  }
}
