/** The accepted formats, in the order in which the documentation and errors list them. */
export const IMAGE_FORMATS = [
  'jpeg',
  'png',
  'webp',
  'bmp',
  'gif',
  'tiff',
  'heic',
  'avif',
  'mpo',
] as const;

/** HEIF files with any HEVC brand have the format `heic`. */
export type ImageFormat = (typeof IMAGE_FORMATS)[number];
