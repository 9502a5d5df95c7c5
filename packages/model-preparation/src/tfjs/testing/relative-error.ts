import type { FloatTensor } from '@sightline/engine/onnx/session';

/** The largest difference of two tensors, relative to the range of the expected one. */
export function relativeError(actual: FloatTensor, expected: FloatTensor): number {
  if (actual.dims.join() !== expected.dims.join()) {
    throw new RangeError(
      `The shape is [${actual.dims.join()}] instead of [${expected.dims.join()}].`,
    );
  }
  let largest = 0;
  let min = Infinity;
  let max = -Infinity;
  for (const [index, value] of expected.data.entries()) {
    largest = Math.max(largest, Math.abs(actual.data[index]! - value));
    min = Math.min(min, value);
    max = Math.max(max, value);
  }
  // A single value has no range, so its magnitude is used instead.
  return largest / (max > min ? max - min : Math.max(Math.abs(max), 1e-6));
}
