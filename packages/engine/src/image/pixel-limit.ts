import { ImageTooLarge } from '@sightline/core/sources/image-errors';
import { MAX_IMAGE_SIDE } from '@sightline/core/sources/image-limits';
import type { OpenImage } from './open-image.ts';

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
  if (Math.max(width, height) > MAX_IMAGE_SIDE) {
    throw new ImageTooLarge(`A side of the image is longer than ${MAX_IMAGE_SIDE} pixels.`, {
      width,
      height,
      max_side: MAX_IMAGE_SIDE,
    });
  }
  return pixels;
}
