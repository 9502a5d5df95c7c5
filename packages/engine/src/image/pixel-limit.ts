import { ImageTooLarge } from '@sightline/core/sources/image-errors';
import type { OpenImage } from './open-image.ts';

/** The longest side of an image, because images are stored as JPEGs, and libjpeg-turbo writes no longer ones. */
const MAX_SIDE = 65_500;

/**
 * Returns the number of pixels of an image. The size in the header of a file is checked before libvips reads it,
 * because libvips and its decoders report a size beyond their own limits as damage.
 *
 * @throws ImageTooLarge
 */
export function pixelsWithin(
  maxPixels: number,
  { width, height }: Pick<OpenImage, 'width' | 'height'>,
): number {
  const pixels = width * height;
  if (pixels > maxPixels) {
    throw new ImageTooLarge(`The image has more than ${maxPixels} pixels.`, {
      pixels,
      max_pixels: maxPixels,
    });
  }
  if (Math.max(width, height) > MAX_SIDE) {
    throw new ImageTooLarge(`A side of the image is longer than ${MAX_SIDE} pixels.`, {
      width,
      height,
      max_side: MAX_SIDE,
    });
  }
  return pixels;
}
