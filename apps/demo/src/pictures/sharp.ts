import sharp from 'sharp';

/**
 * The formats that sharp reads are a setting of the process, and the engine forbids most of them wherever it is loaded,
 * as in tests. The demo reads only pictures of its own and those of its own service.
 */
sharp.unblock({
  operation: ['VipsForeignLoadSvgBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'],
});

export { sharp };
