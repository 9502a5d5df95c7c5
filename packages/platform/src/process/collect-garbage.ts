import { getHeapStatistics } from 'node:v8';

/** The growth of a thread's buffers, in bytes, after which V8 collects by default. */
const GROWTH = 64 * 1024 ** 2;

/** The bytes of this thread's buffers when they were fewest since the last collection. */
let fewest = Infinity;

/**
 * Frees the memory that this thread has dropped. A caller that has dropped hundreds of megabytes uses this function, where
 * tens of milliseconds do not matter. It does nothing in a process or thread that started without `countBuffers`, because
 * V8 then collects after every 64 MB of buffers.
 */
export function collectGarbage(): void {
  globalThis.gc?.({ type: 'major', execution: 'sync' });
  fewest = bytesOfBuffers();
}

/**
 * Frees the memory that this thread has dropped if its buffers have grown by 64 MB. A thread with few objects calls this
 * function between its jobs: it collects in a few milliseconds, while V8 would leave as many buffers as the largest job had.
 */
export function collectGrownBuffers(): void {
  const bytes = bytesOfBuffers();
  fewest = Math.min(fewest, bytes);
  if (bytes - fewest >= GROWTH) collectGarbage();
}

function bytesOfBuffers(): number {
  return getHeapStatistics().external_memory;
}
