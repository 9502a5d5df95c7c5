import { kernels, MEMORY } from './kernels.ts';
import { Scratch } from './scratch.ts';

const STRIP = 32_768;
const BYTES = 4;

/**
 * Returns the indices of the values that reach a threshold.
 *
 * @param threshold the threshold, which is rounded to single precision; a value may also be found if it is below the
 *   threshold by less than the rounding
 * @returns ascending indices; a NaN does not reach the threshold
 */
export function indicesFrom(values: Float32Array, threshold: number): number[] {
  const scratch = new Scratch();
  const strip = scratch.take(STRIP * BYTES);
  const found = scratch.take(STRIP * BYTES);
  const indices: number[] = [];
  for (let start = 0; start < values.length; start += STRIP) {
    const count = Math.min(STRIP, values.length - start);
    MEMORY.float32.set(values.subarray(start, start + count), strip >> 2);
    const end = kernels.indicesFrom(strip, count, threshold, start, found);
    for (let at = found; at < end; at += BYTES) indices.push(MEMORY.int32[at >> 2]!);
  }
  return indices;
}
