import type { Raster } from '../image/raster.ts';
import { roundHalfEven } from './round-half-even.ts';

// Math is destructured once because Jest runs tests in a vm context, where every access to a global
// is slow.
const { imul } = Math;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The target of a resized image: RGB bytes, with row stride and start offset in bytes. */
export interface Canvas {
  readonly pixels: Uint8Array;
  readonly rowStride: number;
  readonly offset: number;
}

/** The two source neighbors of each target position along one axis, with 11-bit weights. */
export interface AxisTaps {
  readonly first: Int32Array;
  readonly second: Int32Array;
  /** The weight of the first neighbor, 0..2048. The weight of the second neighbor is the rest. */
  readonly firstWeight: Int32Array;
  readonly secondWeight: Int32Array;
}

const WEIGHT_ONE = 2048;

/**
 * Resizes with bilinear interpolation between the four nearest source pixels, without smoothing
 * when it shrinks. The result is bit-exact to `cv2.resize(..., interpolation=cv2.INTER_LINEAR)` on
 * 8-bit images: pixel centers at half-integers, 11-bit weights, truncating shifts, and the mean of
 * 2x2 pixels if both sides are exactly halved.
 *
 * Only source pixels with a weight are read, so the cost grows with the target's size.
 *
 * @param size sides of the result in pixels, at least 1
 * @param canvas canvas to write to; default: a new image of exactly `size`
 * @returns the pixels of the canvas: RGB, interleaved
 */
export function resizeBilinear(
  source: Raster,
  size: Size,
  canvas: Canvas = tightCanvas(size),
): Uint8Array {
  if (source.width === size.width * 2 && source.height === size.height * 2) {
    halve(source, size, canvas);
  } else {
    interpolate(source, size, canvas);
  }
  return canvas.pixels;
}

function tightCanvas({ width, height }: Size): Canvas {
  return { pixels: new Uint8Array(3 * width * height), rowStride: 3 * width, offset: 0 };
}

function halve({ data, width }: Raster, size: Size, { pixels, rowStride, offset }: Canvas): void {
  const sourceStride = 3 * width;
  for (let y = 0; y < size.height; y++) {
    let upper = 2 * y * sourceStride;
    let out = offset + y * rowStride;
    for (let x = 0; x < size.width; x++, upper += 6) {
      const lower = upper + sourceStride;
      for (let c = 0; c < 3; c++) {
        const sum =
          data[upper + c]! + data[upper + c + 3]! + data[lower + c]! + data[lower + c + 3]!;
        pixels[out++] = (sum + 2) >> 2;
      }
    }
  }
}

function interpolate(source: Raster, size: Size, canvas: Canvas): void {
  const { rowStride, offset } = canvas;
  const columns = columnTaps(source.width, size.width);
  const rows = rowTaps(source.height, size.height);
  const rowLength = 3 * size.width;
  let upper = new Uint16Array(rowLength);
  let lower = new Uint16Array(rowLength);
  let upperRow = -1;
  let lowerRow = -1;
  for (let y = 0; y < size.height; y++) {
    const first = rows.first[y]!;
    const second = rows.second[y]!;
    if (first === lowerRow) {
      [upper, lower] = [lower, upper];
      [upperRow, lowerRow] = [lowerRow, upperRow];
    }
    if (first !== upperRow) stretchRow(source, first, { columns, into: upper });
    if (second !== lowerRow) stretchRow(source, second, { columns, into: lower });
    upperRow = first;
    lowerRow = second;
    blendRows(canvas.pixels.subarray(offset + y * rowStride, offset + y * rowStride + rowLength), {
      upper,
      lower,
      upperWeight: rows.firstWeight[y]!,
      lowerWeight: rows.secondWeight[y]!,
    });
  }
}

interface RowPair {
  readonly upper: Uint16Array;
  readonly lower: Uint16Array;
  readonly upperWeight: number;
  readonly lowerWeight: number;
}

function blendRows(out: Uint8Array, { upper, lower, upperWeight, lowerWeight }: RowPair): void {
  for (let i = 0; i < out.length; i++) {
    const above = imul(upperWeight, upper[i]!) >> 16;
    const below = imul(lowerWeight, lower[i]!) >> 16;
    out[i] = (above + below + 2) >> 2;
  }
}

interface RowTarget {
  readonly columns: AxisTaps;
  /** Color values in 1/128 with 16 bits each, because OpenCV also blends rows with 16 bits. */
  readonly into: Uint16Array;
}

function stretchRow({ data, width }: Raster, row: number, { columns, into }: RowTarget): void {
  const { first, second, firstWeight, secondWeight } = columns;
  const start = 3 * width * row;
  for (let x = 0, out = 0; x < first.length; x++, out += 3) {
    const left = start + 3 * first[x]!;
    const right = start + 3 * second[x]!;
    const a = firstWeight[x]!;
    const b = secondWeight[x]!;
    into[out] = (imul(data[left]!, a) + imul(data[right]!, b)) >> 4;
    into[out + 1] = (imul(data[left + 1]!, a) + imul(data[right + 1]!, b)) >> 4;
    into[out + 2] = (imul(data[left + 2]!, a) + imul(data[right + 2]!, b)) >> 4;
  }
}

/**
 * Returns the taps of columns. Beyond the edges, the first neighbor is the edge pixel and has all
 * the weight.
 */
export function columnTaps(sourceLength: number, targetLength: number): AxisTaps {
  return axisTaps(sourceLength, targetLength, (position, fraction) =>
    position < 0 || position >= sourceLength - 1 ? 0 : fraction,
  );
}

/**
 * Returns the taps of rows. As in OpenCV, both neighbors beyond an edge are the edge row, and their
 * weights are not changed.
 */
export function rowTaps(sourceLength: number, targetLength: number): AxisTaps {
  return axisTaps(sourceLength, targetLength, (_position, fraction) => fraction);
}

function axisTaps(
  sourceLength: number,
  targetLength: number,
  fractionAt: (position: number, fraction: number) => number,
): AxisTaps {
  const taps = {
    first: new Int32Array(targetLength),
    second: new Int32Array(targetLength),
    firstWeight: new Int32Array(targetLength),
    secondWeight: new Int32Array(targetLength),
  };
  // The quotient is inverted, as in OpenCV. `sourceLength / targetLength` would differ in the last bit for some
  // lengths, and positions with it.
  const scale = 1 / (targetLength / sourceLength);
  const last = sourceLength - 1;
  for (let i = 0; i < targetLength; i++) {
    const center = Math.fround((i + 0.5) * scale - 0.5);
    const position = Math.floor(center);
    const fraction = fractionAt(position, Math.fround(center - position));
    taps.first[i] = Math.min(Math.max(position, 0), last);
    taps.second[i] = Math.min(Math.max(position + 1, 0), last);
    taps.firstWeight[i] = roundHalfEven(Math.fround(1 - fraction) * WEIGHT_ONE);
    taps.secondWeight[i] = roundHalfEven(fraction * WEIGHT_ONE);
  }
  return taps;
}
