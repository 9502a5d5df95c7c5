/** The default size of libuv's thread pool, which Node uses for files, DNS and compression. */
const DEFAULT_THREADS = 4;

/**
 * Adds one thread per inference worker to libuv's pool. Images are decoded and encoded in the pool, so with fewer
 * threads the workers would wait for each other. The function must be called before the first asynchronous use of the
 * file system, which creates the pool. A size that is already set in the environment is kept.
 */
export function sizeThreadPool(workers: number): void {
  process.env.UV_THREADPOOL_SIZE ??= String(DEFAULT_THREADS + workers);
}
