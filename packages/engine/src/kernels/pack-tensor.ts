import type { PreprocessSpec } from '../math/pack-tensor.ts';
import type { Size } from '../math/resize-bilinear.ts';
import { MEMORY } from './kernels.ts';
import { PlaneWriter } from './plane-writer.ts';
import { Scratch } from './scratch.ts';

const STRIP = 8192;

/** Computes the same results as `packTensor` of `math`. */
export function packTensor(pixels: Uint8Array, size: Size, spec: PreprocessSpec): Float32Array {
  const tensor = new Float32Array(3 * size.width * size.height);
  packInto(tensor, pixels, spec);
  return tensor;
}

/** Computes the same results as `packInto` of `math`. */
export function packInto(tensor: Float32Array, pixels: Uint8Array, spec: PreprocessSpec): void {
  const scratch = new Scratch();
  const writer = new PlaneWriter(tensor, spec, { scratch, row: STRIP });
  const strip = scratch.take(3 * STRIP);
  const plane = tensor.length / 3;
  for (let start = 0; start < plane; start += STRIP) {
    const count = Math.min(STRIP, plane - start);
    MEMORY.bytes.set(pixels.subarray(3 * start, 3 * (start + count)), strip);
    writer.write(strip, count, start);
  }
  writer.flush();
}
