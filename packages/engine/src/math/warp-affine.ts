import type { Raster } from '../image/raster.ts';
import { type Affine, invertAffine } from './affine.ts';
import type { Size } from './resize-bilinear.ts';
import { roundHalfEven } from './round-half-even.ts';

// Math is destructured once because Jest runs tests in a vm context, where every access to a global
// is slow.
const { floor, fround } = Math;

/**
 * Warps an image by an affine map with bilinear interpolation. Pixels outside the source are black.
 * The result is bit-exact to `cv2.warpAffine(source, transform, size, borderValue=0)` of OpenCV 5.
 * OpenCV computes in single precision, so each step is rounded. Only source pixels under the target
 * are read.
 *
 * @param transform map from source to target coordinates, with pixel centers at integers
 * @returns RGB, interleaved, of exactly `size`
 */
export function warpAffine(source: Raster, transform: Affine, size: Size): Uint8Array {
  const back = invertAffine(transform);
  const stepX = fround(back.a);
  const stepY = fround(back.c);
  const pixels = new Uint8Array(3 * size.width * size.height);
  const sample = sampler(source, pixels);
  let out = 0;
  for (let y = 0; y < size.height; y++) {
    const startX = rowStart(back.b, back.tx, y);
    const startY = rowStart(back.d, back.ty, y);
    for (let x = 0; x < size.width; x++, out += 3) {
      sample(fround(stepX * x + startX), fround(stepY * x + startY), out);
    }
  }
  return pixels;
}

/** Returns the position along one axis of the source for the first pixel of a target row. */
export function rowStart(step: number, shift: number, row: number): number {
  return fround(fround(fround(step) * row) + fround(shift));
}

/** Writes the color at a source position to a byte offset of the target. */
type Sampler = (x: number, y: number, out: number) => void;

function sampler({ data, width, height }: Raster, pixels: Uint8Array): Sampler {
  const stride = 3 * width;

  const blackOutside = (x: number, y: number, channel: number) =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : data[y * stride + 3 * x + channel]!;

  const edge: Sampler = (x, y, out) => {
    const left = floor(x);
    const top = floor(y);
    for (let c = 0; c < 3; c++) {
      const upper = mix(blackOutside(left, top, c), blackOutside(left + 1, top, c), x - left);
      const lower = mix(
        blackOutside(left, top + 1, c),
        blackOutside(left + 1, top + 1, c),
        x - left,
      );
      pixels[out + c] = roundHalfEven(mix(upper, lower, y - top));
    }
  };

  return (x, y, out) => {
    if (x < 0 || y < 0 || x >= width - 1 || y >= height - 1) {
      if (x > -1 && y > -1 && x < width && y < height) edge(x, y, out);
      return;
    }
    const left = floor(x);
    const top = floor(y);
    const at = top * stride + 3 * left;
    for (let i = at, o = out; i < at + 3; i++, o++) {
      const upper = mix(data[i]!, data[i + 3]!, x - left);
      const lower = mix(data[i + stride]!, data[i + stride + 3]!, x - left);
      pixels[o] = roundHalfEven(mix(upper, lower, y - top));
    }
  };
}

/** Interpolates with a single rounding, like a fused multiply-add. The weight applies to `b`. */
function mix(a: number, b: number, weight: number): number {
  return fround(a + fround(weight) * (b - a));
}
