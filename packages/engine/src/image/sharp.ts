import { isMainThread } from 'node:worker_threads';
import sharp from 'sharp';

/**
 * The only file that imports sharp, so that all code uses the restricted one.
 *
 * Unrestricted, libvips also reads SVG, files by path and more; here it reads six formats, from
 * memory. The operation cache is off, because no image is decoded twice. Each image uses one
 * thread, because the engine's worker threads are the parallelism. The settings apply to the whole
 * process.
 *
 * Only the main thread restricts the formats, for all threads: if each new thread blocked them
 * again, the other threads could read no image in between. The engine therefore imports this file
 * on the main thread before it starts a worker thread.
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
      'VipsForeignLoadHeifBuffer', // AVIF: the prebuilt libheif has no HEVC decoder
    ],
  });
}
// Each thread that imports sharp turns the cache on, and this turns it off again.
sharp.cache(false);
sharp.concurrency(1);

export { sharp };
