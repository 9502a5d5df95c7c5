/** The limits of one image, and of all images in memory. */
export interface ImageLimits {
  /** The maximum size of the encoded file. */
  readonly maxBytes: number;
  /** The maximum width times height of the decoded image. */
  readonly maxPixels: number;
  /** The maximum number of decoded pixels in the memory of one process. */
  readonly maxPixelsInFlight: number;
}

/** A binary megapixel, so that an image of 8160 x 6144 pixels from a 50 megapixel camera is below the limit. */
const MEGAPIXEL = 2 ** 20;

/** The longest side of an image in pixels, because images are stored as JPEGs, and libjpeg-turbo writes no longer ones. */
export const MAX_IMAGE_SIDE = 65_500;

export const DEFAULT_IMAGE_LIMITS: ImageLimits = {
  maxBytes: 25 * 1024 * 1024,
  maxPixels: 50 * MEGAPIXEL,
  maxPixelsInFlight: 200 * MEGAPIXEL,
};
