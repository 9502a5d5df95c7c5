import sharp from 'sharp';

/**
 * The image formats that sharp may read are a global setting of the process. The inference engine blocks most formats
 * when it is loaded, which happens in tests. The formats below are safe here, because the demo reads only its own
 * pictures and those of its own service.
 */
sharp.unblock({
  operation: ['VipsForeignLoadSvgBuffer', 'VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'],
});

export { sharp };
