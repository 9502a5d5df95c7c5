import type { Raster } from '../image/raster.ts';
import type { Size } from './resize-bilinear.ts';
import { resizeArea } from './resize-area.ts';
import { resizeBilinear } from './resize-bilinear.ts';

/**
 * The position of an image in a network's input, and the way to resize the image. A point p of the
 * input is at ((p.x - left) / scaleX, (p.y - top) / scaleY) in the image.
 */
export interface Fit {
  readonly size: Size;
  /** The size of the resized image, which is inside the input. */
  readonly image: Size;
  /** The width of the left margin and the height of the upper margin, in pixels. */
  readonly left: number;
  readonly top: number;
  /** The pixels of the input per pixel of the image. */
  readonly scaleX: number;
  readonly scaleY: number;
  /** The gray level of the margins, 0..255. */
  readonly fill: number;
  /**
   * Whether to shrink by averaging, see {@link resizeArea}; otherwise see {@link resizeBilinear}.
   */
  readonly smooth: boolean;
}

/**
 * Draws an image into a network's input.
 *
 * @returns RGB, interleaved, of exactly the input's size
 */
export function drawFit(source: Raster, { size, image, left, top, fill, smooth }: Fit): Uint8Array {
  const pixels = new Uint8Array(3 * size.width * size.height).fill(fill);
  const rowStride = 3 * size.width;
  const resize = smooth ? resizeArea : resizeBilinear;
  resize(source, image, { pixels, rowStride, offset: top * rowStride + 3 * left });
  return pixels;
}
