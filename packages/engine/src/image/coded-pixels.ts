/** The longest side of a block, of which coded images consist, in pixels. */
export const BLOCK_SIDE = 64;

/**
 * Returns libheif's limit for images of this number of pixels: the side of a square. It applies to coded images, which
 * consist of whole blocks of up to 64 pixels and are therefore slightly larger than the visible image.
 */
export function maxCodedSide(maxPixels: number): number {
  return Math.ceil(Math.sqrt(1.25 * maxPixels)) + BLOCK_SIDE;
}

/** Returns the most pixels of a coded image whose visible part has this number of pixels. */
export function maxCodedPixels(maxPixels: number): number {
  return maxCodedSide(maxPixels) ** 2;
}
