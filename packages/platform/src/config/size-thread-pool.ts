/** What libuv has if nobody says; file system, DNS and compression use these threads too. */
const USUAL_THREADS = 4;

/**
 * Gives libuv a thread for each inference worker beside the usual ones: pictures are decoded and
 * encoded there, and with more workers than threads those would wait for each other. It has to be
 * said before the first asynchronous use of the file system. A number that is set already stays.
 */
export function sizeThreadPool(workers: number): void {
  process.env.UV_THREADPOOL_SIZE ??= String(USUAL_THREADS + workers);
}
