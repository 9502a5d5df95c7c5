import { MAX_IMAGE_SIDE } from '@sightline/core/sources/image-limits';
import { BLOCK_SIDE, maxCodedPixels } from './coded-pixels.ts';
import { declaredSizes } from './heif-items.ts';
import { pixelsWithin } from './pixel-limit.ts';

/**
 * The memory for a pixel while it is decoded, relative to that of a decoded one: the planes of the codec, their copies and
 * the decoded pixels exist at the same time. An AVIF of 17 megapixels takes 17 bytes per pixel, HEIC 11 to 14.
 */
const COPIES = 6;
/** For a side of more than 100,000,000 pixels, libvips would also write a message to the process's stderr. */
const MAX_CODED_SIDE = MAX_IMAGE_SIDE + BLOCK_SIDE;

/**
 * Returns the cost of decoding a HEIF file (see {@link OpenImage.cost}). It is that of the largest image in the file,
 * because the decoder crops an image only after it has decoded all of it.
 *
 * @throws ImageTooLarge
 */
export function heifCost(bytes: Uint8Array, maxPixels: number): number {
  const most = maxCodedPixels(maxPixels);
  const pixels = declaredSizes(bytes).map((size) => {
    const { width, height } = size;
    const isTooLarge = width * height > most || Math.max(width, height) > MAX_CODED_SIDE;
    return isTooLarge ? pixelsWithin(maxPixels, size) : width * height;
  });
  return COPIES * Math.max(1, ...pixels);
}
