/** Limits of one image, and of all decoded images in memory at once. */
export interface ImageLimits {
  /** Size of the encoded file in bytes. */
  readonly maxBytes: number;
  /** Width times height of the decoded picture. */
  readonly maxPixels: number;
  /** Decoded pixels of all images in flight in one process. */
  readonly maxPixelsInFlight: number;
}

export const DEFAULT_IMAGE_LIMITS: ImageLimits = {
  maxBytes: 25 * 1024 * 1024,
  maxPixels: 50_000_000,
  maxPixelsInFlight: 200_000_000,
};
