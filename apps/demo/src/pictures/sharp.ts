import sharp from 'sharp';

/**
 * What may be read is a setting of the process, and the engine forbids most of it wherever it is
 * loaded. Here are our own drawings, and pictures of our own service.
 */
sharp.unblock({
  operation: ['VipsForeignLoadSvgBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'],
});

export { sharp };
