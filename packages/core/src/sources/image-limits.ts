/** The limits of one image, and of all images in memory. */
export interface ImageLimits {
  /** The maximum size of the encoded file. */
  readonly maxBytes: number;
  /** The maximum width times height of the decoded image. */
  readonly maxPixels: number;
  /** The maximum number of pixels that are decoded at the same time in one process, by the memory that they take. */
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

/** The bytes of a decoded pixel: 8-bit RGB. */
const PIXEL_BYTES = 3;
const MAX_IN_FLIGHT = 2 ** 31 - 1;

/**
 * Returns the default limits, with a quarter of a process's memory for the pixels that are decoded at the same time. In
 * little memory it is more, because one image of the largest size is always decoded.
 *
 * @param memory the memory in bytes that the process may use
 */
export function imageLimitsWithin(memory: number): ImageLimits {
  const { maxPixels } = DEFAULT_IMAGE_LIMITS;
  const fitting = Math.max(maxPixels, Math.floor(memory / 4 / PIXEL_BYTES));
  return { ...DEFAULT_IMAGE_LIMITS, maxPixelsInFlight: Math.min(fitting, MAX_IN_FLIGHT) };
}
