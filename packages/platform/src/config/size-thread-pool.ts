/** The default size of libuv's thread pool, which also serves files, DNS and compression. */
const DEFAULT_THREADS = 4;

/**
 * Adds a thread to libuv's pool for each inference worker: images are decoded and encoded in the pool,
 * and with fewer threads the workers would wait for each other. Has to be called before the first
 * asynchronous use of the file system. A size that is already set is kept.
 */
export function sizeThreadPool(workers: number): void {
  process.env.UV_THREADPOOL_SIZE ??= String(DEFAULT_THREADS + workers);
}
