import sharp from 'sharp';

/**
 * The only file that imports sharp, so that all code uses the restricted one.
 *
 * Unrestricted, libvips also reads SVG, files by path and more; here it reads six formats, from
 * memory. The operation cache is off, because no image is decoded twice. Each image uses one
 * thread, because the engine's worker threads are the parallelism. The settings apply to the whole
 * process.
 */
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
sharp.cache(false);
sharp.concurrency(1);

export { sharp };
