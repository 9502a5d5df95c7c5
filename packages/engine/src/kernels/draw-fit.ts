import type { Raster } from '../image/raster.ts';
import type { Fit } from '../math/fit.ts';
import { MEMORY } from './kernels.ts';
import { resizeRows } from './resize-rows.ts';
import { Scratch } from './scratch.ts';

/** Computes the same results as `drawFit` of `math`. */
export function drawFit(source: Raster, fit: Fit): Uint8Array {
  const { size, image, left, top, fill, smooth } = fit;
  const pixels = new Uint8Array(3 * size.width * size.height);
  if (fill !== 0) pixels.fill(fill);
  const rowBytes = 3 * image.width;
  resizeRows({ source, size: image, smooth, scratch: new Scratch() }, (row, y) => {
    const at = 3 * ((top + y) * size.width + left);
    pixels.set(MEMORY.bytes.subarray(row, row + rowBytes), at);
  });
  return pixels;
}
