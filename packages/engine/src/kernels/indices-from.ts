import { kernels, MEMORY } from './kernels.ts';
import { Scratch } from './scratch.ts';

/** Values per call of the kernel. */
const STRIP = 32_768;
const BYTES = 4;

/**
 * The indices of the values that reach a threshold. Few do: a head has up to a million scores.
 *
 * @param threshold is rounded to single precision so that no value above it is missed; a value that
 *   is below it by less than the rounding may be found, too
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
