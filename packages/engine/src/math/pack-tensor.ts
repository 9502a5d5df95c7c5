import type { Size } from './resize-bilinear.ts';

type PerChannel = readonly [number, number, number];

/** How a model wants its pixels: (value - mean) / std on the 0..255 scale, channels in this order. */
export interface PreprocessSpec {
  /** In the order of the channels, as `std`. */
  readonly mean: PerChannel;
  readonly std: PerChannel;
  readonly colourOrder: 'rgb' | 'bgr';
}

/**
 * Turns pixels into planes of floats.
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
 * As {@link packTensor}, into a part of a batch.
 *
 * @param tensor 3 * width * height values to fill
 */
export function packInto(tensor: Float32Array, pixels: Uint8Array, spec: PreprocessSpec): void {
  const plane = tensor.length / 3;
  for (let channel = 0; channel < 3; channel++) {
    const normalised = normalisedValues(spec.mean[channel]!, spec.std[channel]!);
    const start = channel * plane;
    let from = spec.colourOrder === 'rgb' ? channel : 2 - channel;
    for (let i = 0; i < plane; i++, from += 3) tensor[start + i] = normalised[pixels[from]!]!;
  }
}

/**
 * There are only 256 values: a table costs less than arithmetic for each pixel. They are rounded as
 * `cv2.dnn.blobFromImage` rounds them, because nets that quantise at run time answer noticeably
 * differently to a change in the last bit.
 */
function normalisedValues(mean: number, std: number): Float32Array {
  const factor = Math.fround(1 / std);
  return Float32Array.from({ length: 256 }, (_, value) => Math.fround(value - mean) * factor);
}
