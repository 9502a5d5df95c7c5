/** Limits of one image, and of all decoded images in memory at once. */
export interface ImageLimits {
  /** Size of the encoded file in bytes. */
  readonly maxBytes: number;
  /** Width times height of the decoded picture. */
  readonly maxPixels: number;
  /** Decoded pixels of all images in flight in one process. */
  readonly maxPixelsInFlight: number;
}

/** A megapixel, as cameras and this service count: 8160 x 6144 pixels are under 50 of them. */
const MEGAPIXEL = 2 ** 20;

export const DEFAULT_IMAGE_LIMITS: ImageLimits = {
  maxBytes: 25 * 1024 * 1024,
  maxPixels: 50 * MEGAPIXEL,
  maxPixelsInFlight: 200 * MEGAPIXEL,
};
