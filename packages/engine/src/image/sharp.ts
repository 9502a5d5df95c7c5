import { isMainThread } from 'node:worker_threads';
import sharp from 'sharp';

/**
 * The only file that imports sharp, so that all code uses sharp with the restrictions below.
 *
 * Without the restrictions, libvips would also read SVG, files by path and more. With them, it
 * reads only six formats from memory. The operation cache is off, because no image is decoded
 * twice. Each image uses one thread, because the engine's worker threads are the parallelism. The
 * settings apply to the whole process.
 *
 * The main thread restricts the formats once for all threads. If each new thread repeated the
 * restriction, the other threads could not read images between the calls of `block` and `unblock`.
 * The engine therefore imports this file on the main thread before it starts a worker thread.
 */
if (isMainThread) {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpegBuffer',
      'VipsForeignLoadPngBuffer',
      'VipsForeignLoadWebpBuffer',
      'VipsForeignLoadNsgifBuffer',
      'VipsForeignLoadTiffBuffer',
      'VipsForeignLoadHeifBuffer', // AVIF only, because the prebuilt libheif has no HEVC decoder
    ],
  });
}
// Importing sharp turns the cache on in each thread, so each thread turns it off again.
sharp.cache(false);
sharp.concurrency(1);

export { sharp };
