import sharp from 'sharp';

/**
 * Which formats sharp reads is a setting of the process, and the engine forbids most of them where
 * it is loaded, as in tests. The demo reads only pictures of its own and those of its own service.
 */
sharp.unblock({
  operation: ['VipsForeignLoadSvgBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'],
});

export { sharp };
