import type { FileHandle } from 'node:fs/promises';
import { streamOf } from '@sightline/core/media/stream-of';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { withStoreErrors } from './store-error.ts';

const CHUNK_BYTES = 128 * 1024;

/** Streams the bytes of an open file from `start` (inclusive) to `end` (exclusive), and then closes the file. */
export function streamFile(
  file: FileHandle,
  { start, end }: { readonly start: number; readonly end: number },
  signal?: AbortSignal,
): ReadableStream<Uint8Array> {
  let at = start;
  const next = async (): Promise<Uint8Array | null> => {
    if (at >= end) return null;
    const chunk = new Uint8Array(Math.min(CHUNK_BYTES, end - at));
    const read = () => file.read(chunk, 0, chunk.length, at);
    const { bytesRead } = await withStoreErrors(read, signal);
    if (bytesRead === 0)
      throw new StoreUnavailable('A media object ended earlier than its size says.');
    at += bytesRead;
    return chunk.subarray(0, bytesRead);
  };
  return streamOf({ next, close: () => file.close() }, signal);
}
