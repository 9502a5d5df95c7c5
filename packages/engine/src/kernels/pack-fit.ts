import type { Raster } from '../image/raster.ts';
import type { Fit } from '../math/fit.ts';
import { normalizedValues, type PreprocessSpec } from '../math/pack-tensor.ts';
import { PlaneWriter } from './plane-writer.ts';
import { resizeRows } from './resize-rows.ts';
import { Scratch } from './scratch.ts';

/** The placement and normalization with which an image becomes the input of a network. */
export interface FitToPack {
  readonly fit: Fit;
  readonly spec: PreprocessSpec;
}

/**
 * Resizes an image, surrounds the result with margins and normalizes it, row by row. The results
 * are those of `drawFit` followed by `packTensor`, without the memory for the drawn image.
 *
 * @param tensor the tensor to fill, NCHW of shape [1, 3, height, width] of the input
 */
export function packFit(tensor: Float32Array, source: Raster, { fit, spec }: FitToPack): void {
  const { size, image, left, top, smooth } = fit;
  fillMargins(tensor, fit, spec);
  const scratch = new Scratch();
  const writer = new PlaneWriter(tensor, spec, { scratch, row: image.width });
  resizeRows({ source, size: image, smooth, scratch }, (row, y) => {
    writer.write(row, image.width, (top + y) * size.width + left);
  });
  writer.flush();
}

function fillMargins(
  tensor: Float32Array,
  { size, image, left, top, fill }: Fit,
  { mean, std }: PreprocessSpec,
): void {
  const { width, height } = size;
  for (let channel = 0; channel < 3; channel++) {
    const value = normalizedValues(mean[channel]!, std[channel]!)[fill]!;
    const plane = tensor.subarray(channel * width * height, (channel + 1) * width * height);
    plane.fill(value, 0, top * width + left);
    // Each fill covers the right margin of a row and the left margin of the next row.
    for (let y = top; image.width < width && y < top + image.height - 1; y++) {
      plane.fill(value, y * width + left + image.width, (y + 1) * width + left);
    }
    plane.fill(value, (top + image.height - 1) * width + left + image.width);
  }
}
