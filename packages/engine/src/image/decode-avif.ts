import { ImageCorrupt } from '@sightline/core/sources/image-errors';
import { openWithSharp } from './decode-sharp.ts';
import { heifCost } from './heif-cost.ts';
import { endOfItems, itemTypes, refuseOverlays } from './heif-items.ts';
import type { OpenImage } from './open-image.ts';

const BRAND_AT = 8;
const STILL_BRAND = 'avif';

/**
 * Opens an AVIF file or the primary image of a sequence. Rejects a file that ends before the data
 * of its images, because libvips fills the missing tiles of a grid with black.
 *
 * @param maxPixels limit for every image in the file
 * @throws ImageCorrupt as {@link openWithSharp} does, and for missing data; UnsupportedFormat for overlays; ImageTooLarge
 */
export async function openAvif(bytes: Uint8Array, maxPixels: number): Promise<OpenImage> {
  if (endOfItems(bytes) > bytes.length) {
    throw new ImageCorrupt('The image is damaged or incomplete.');
  }
  refuseOverlays(itemTypes(bytes));
  const cost = heifCost(bytes, maxPixels);
  return { ...(await openWithSharp(asStill(bytes))), cost };
}

/**
 * Returns the file with the major brand of a still image. libvips recognizes AVIF only by that
 * brand, and a sequence has another major brand.
 */
function asStill(bytes: Uint8Array): Uint8Array {
  const brand = Buffer.from(bytes.subarray(BRAND_AT, BRAND_AT + STILL_BRAND.length));
  if (brand.toString('latin1') === STILL_BRAND) return bytes;
  const still = bytes.slice();
  still.set(Buffer.from(STILL_BRAND), BRAND_AT);
  return still;
}
