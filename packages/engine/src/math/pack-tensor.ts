import type { Size } from './resize-bilinear.ts';

// Math is destructured once because Jest runs tests in a vm context, where every access to a global
// is slow.
const { fround } = Math;

type PerChannel = readonly [number, number, number];

/**
 * The pixels that a model expects: (value - mean) / std of values 0..255, channels in `colorOrder`.
 */
export interface PreprocessSpec {
  /** The values are in channel order, like those of `std`. */
  readonly mean: PerChannel;
  readonly std: PerChannel;
  readonly colorOrder: 'rgb' | 'bgr';
}

/**
 * Converts pixels to normalized float planes.
 *
 * @param pixels RGB, interleaved, of `size`
 * @returns NCHW of shape [1, 3, height, width]
 */
export function packTensor(pixels: Uint8Array, size: Size, spec: PreprocessSpec): Float32Array {
  const tensor = new Float32Array(3 * size.width * size.height);
  packInto(tensor, pixels, spec);
  return tensor;
}

/**
 * Converts like {@link packTensor}, but into a part of a batch.
 *
 * @param tensor 3 * width * height values to fill
 */
export function packInto(tensor: Float32Array, pixels: Uint8Array, spec: PreprocessSpec): void {
  const plane = tensor.length / 3;
  for (let channel = 0; channel < 3; channel++) {
    const normalized = normalizedValues(spec.mean[channel]!, spec.std[channel]!);
    const start = channel * plane;
    let from = spec.colorOrder === 'rgb' ? channel : 2 - channel;
    for (let i = 0; i < plane; i++, from += 3) tensor[start + i] = normalized[pixels[from]!]!;
  }
}

/**
 * Returns the normalized value of each of the 256 pixel values, because a table is cheaper than
 * arithmetic per pixel. Values are rounded as `cv2.dnn.blobFromImage` rounds them, because networks
 * that quantize at run time react noticeably to a change in the last bit.
 */
export function normalizedValues(mean: number, std: number): Float32Array {
  const factor = fround(1 / std);
  const values = new Float32Array(256);
  for (let value = 0; value < 256; value++) values[value] = fround(value - mean) * factor;
  return values;
}
