import { kernels, MEMORY } from './kernels.ts';
import { Scratch } from './scratch.ts';

const STRIP = 32_768;
const BYTES = 4;

/**
 * Returns the indices of the values that reach a threshold. Few values do, although a network may
 * output a million scores.
 *
 * @param threshold rounded to single precision so that no value above it is missed; a value that is
 *   below the threshold by less than the rounding may also be found
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
