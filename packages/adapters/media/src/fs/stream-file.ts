import type { FileHandle } from 'node:fs/promises';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { withStoreErrors } from './store-error.ts';

const CHUNK_BYTES = 128 * 1024;

/**
 * The bytes of an open file from `start` (inclusive) to `end` (exclusive), read on demand. The file is
 * closed after the last byte, and on cancel, failure or abort.
 */
export function streamFile(
  file: FileHandle,
  { start, end }: { readonly start: number; readonly end: number },
  signal?: AbortSignal,
): ReadableStream<Uint8Array> {
  let at = start;
  let abort: () => void;
  const close = async (): Promise<void> => {
    signal?.removeEventListener('abort', abort);
    await file.close();
  };
  return new ReadableStream<Uint8Array>(
    {
      start: async (controller) => {
        abort = () => {
          controller.error(signal?.reason);
          void close();
        };
        signal?.addEventListener('abort', abort, { once: true });
        if (at < end) return;
        controller.close();
        await close();
      },
      pull: async (controller) => {
        try {
          const chunk = await readChunk(file, { at, end }, signal);
          at += chunk.length;
          controller.enqueue(chunk);
          if (at === end) controller.close();
        } catch (error) {
          await close();
          throw error;
        }
        if (at === end) await close();
      },
      cancel: close,
    },
    { highWaterMark: 0 },
  );
}

async function readChunk(
  file: FileHandle,
  { at, end }: { readonly at: number; readonly end: number },
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const chunk = new Uint8Array(Math.min(CHUNK_BYTES, end - at));
  const { bytesRead } = await withStoreErrors(() => file.read(chunk, 0, chunk.length, at), signal);
  if (bytesRead === 0) throw new StoreUnavailable('A media object is shorter than it was.');
  return chunk.subarray(0, bytesRead);
}
