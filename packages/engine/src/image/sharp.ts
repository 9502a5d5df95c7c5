import sharp from 'sharp';

/**
 * The one file that imports sharp, so that there is no unrestricted one to be had.
 *
 * libvips would read SVG, files by path and more; here it reads six formats, from memory. It keeps
 * no operation cache, because no picture is decoded twice, and takes one thread per picture, because
 * the engine's worker threads are the parallelism. The settings are those of the process.
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
