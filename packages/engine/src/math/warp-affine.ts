import type { Raster } from '../image/raster.ts';
import { type Affine, invertAffine } from './affine.ts';
import type { Size } from './resize-bilinear.ts';
import { roundHalfEven } from './round-half-even.ts';

/** Positions are computed in 1/1024 pixel and then cut to 1/32 pixel. */
const POSITION_ONE = 1024;
const CUT_BITS = 5;
const CUT_HALF = 16;
const FRACTION_BITS = 5;
const FRACTION_ONE = 32;
/** A product of two weights is in 1/1024. */
const WEIGHT_BITS = 10;
const WEIGHT_HALF = 512;

/**
 * Maps a picture through an affine map with bilinear interpolation; what lies outside the source
 * is black. As `cv2.warpAffine(source, transform, size, borderValue=0)` in its fixed-point form:
 * positions in steps of 1/32 pixel. Only the source pixels that the target shows are read.
 *
 * @param transform from source to target coordinates, pixel centres at integers
 * @returns RGB, interleaved, of exactly `size`
 */
export function warpAffine(source: Raster, transform: Affine, size: Size): Uint8Array {
  const back = invertAffine(transform);
  const pixels = new Uint8Array(3 * size.width * size.height);
  const sample = sampler(source, pixels);
  const columnX = columnSteps(back.a, size.width);
  const columnY = columnSteps(back.c, size.width);
  let out = 0;
  for (let y = 0; y < size.height; y++) {
    const rowX = roundHalfEven((back.b * y + back.tx) * POSITION_ONE) + CUT_HALF;
    const rowY = roundHalfEven((back.d * y + back.ty) * POSITION_ONE) + CUT_HALF;
    for (let x = 0; x < size.width; x++, out += 3) {
      sample((rowX + columnX[x]!) >> CUT_BITS, (rowY + columnY[x]!) >> CUT_BITS, out);
    }
  }
  return pixels;
}

function columnSteps(step: number, count: number): Int32Array {
  return Int32Array.from({ length: count }, (_, x) => roundHalfEven(step * x * POSITION_ONE));
}

/** Writes the colour at a source position, in 1/32 pixel, to a byte offset of the target. */
type Sampler = (positionX: number, positionY: number, out: number) => void;

function sampler({ data, width, height }: Raster, pixels: Uint8Array): Sampler {
  const stride = 3 * width;

  const blackOutside = (x: number, y: number, channel: number) =>
    x < 0 || y < 0 || x >= width || y >= height ? 0 : data[y * stride + 3 * x + channel]!;

  return (positionX, positionY, out) => {
    const x = positionX >> FRACTION_BITS;
    const y = positionY >> FRACTION_BITS;
    if (x < -1 || y < -1 || x >= width || y >= height) return;
    const fractionX = positionX & (FRACTION_ONE - 1);
    const fractionY = positionY & (FRACTION_ONE - 1);
    const upperLeft = (FRACTION_ONE - fractionX) * (FRACTION_ONE - fractionY);
    const upperRight = fractionX * (FRACTION_ONE - fractionY);
    const lowerLeft = (FRACTION_ONE - fractionX) * fractionY;
    const lowerRight = fractionX * fractionY;
    const inside = x >= 0 && y >= 0 && x < width - 1 && y < height - 1;
    const at = y * stride + 3 * x;
    for (let c = 0; c < 3; c++) {
      const sum = inside
        ? upperLeft * data[at + c]! +
          upperRight * data[at + c + 3]! +
          lowerLeft * data[at + c + stride]! +
          lowerRight * data[at + c + stride + 3]!
        : upperLeft * blackOutside(x, y, c) +
          upperRight * blackOutside(x + 1, y, c) +
          lowerLeft * blackOutside(x, y + 1, c) +
          lowerRight * blackOutside(x + 1, y + 1, c);
      pixels[out + c] = (sum + WEIGHT_HALF) >> WEIGHT_BITS;
    }
  };
}
