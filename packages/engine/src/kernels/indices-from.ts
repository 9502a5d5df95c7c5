import { kernels, MEMORY } from './kernels.ts';
import { Scratch } from './scratch.ts';

/** Values at a time. */
const STRIP = 32_768;
const BYTES = 4;

/**
 * Where values reach a threshold, which few do: a head has up to a million scores.
 *
 * @param threshold rounded to single precision, so that no value above it is missed, and one that is
 *   below it by less than that may be found, too
 * @returns indices, ascending; none of a NaN
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
