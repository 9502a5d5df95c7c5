import type { Raster } from '../image/raster.ts';
import { type Canvas, resizeBilinear, type Size } from './resize-bilinear.ts';

/**
 * The source pixels under each target pixel along one axis, and the weights of the outer pixels.
 */
export interface AxisSpans {
  readonly first: Int32Array;
  /**
   * The last pixel of a span, at or behind `first`. If both are the same pixel, `lastWeight` is 0.
   */
  readonly last: Int32Array;
  /**
   * The weights are fractions of the span's length; `innerWeight` is that of each pixel between the
   * outer pixels.
   */
  readonly firstWeight: Float32Array;
  readonly lastWeight: Float32Array;
  readonly innerWeight: number;
}

/**
 * Shrinks by averaging. Each pixel of the result is the mean of the source area under it, so that
 * no detail is skipped. The result differs from `cv2.resize(..., INTER_AREA)` by at most one level.
 * The cost grows with the source's size. If an axis grows, the image is interpolated instead, see
 * {@link resizeBilinear}.
 *
 * @param size sides of the result in pixels, at least 1
 * @param canvas canvas to write to, RGB
 */
export function resizeArea(source: Raster, size: Size, canvas: Canvas): void {
  if (size.width > source.width || size.height > source.height) {
    resizeBilinear(source, size, canvas);
    return;
  }
  const columns = axisSpans(source.width, size.width);
  const rows = axisSpans(source.height, size.height);
  const sums = new Float32Array(3 * size.width);
  for (let y = 0; y < size.height; y++) {
    // Storing truncates, so adding 0.5 first makes the result rounded.
    sums.fill(0.5);
    for (let row = rows.first[y]!; row <= rows.last[y]!; row++) {
      addRow(source, { row, weight: weightOf(rows, y, row), columns }, sums);
    }
    canvas.pixels.set(sums, canvas.offset + y * canvas.rowStride);
  }
}

interface WeightedRow {
  readonly row: number;
  readonly weight: number;
  readonly columns: AxisSpans;
}

/** Adds one weighted source row. The inner pixels of a span are summed before they are weighted. */
function addRow({ data, width }: Raster, from: WeightedRow, sums: Float32Array): void {
  const { first, last, firstWeight, lastWeight, innerWeight } = from.columns;
  const start = 3 * width * from.row;
  for (let x = 0, to = 0; x < first.length; x++, to += 3) {
    let at = start + 3 * first[x]!;
    const end = start + 3 * last[x]!;
    const left = from.weight * firstWeight[x]!;
    const right = from.weight * lastWeight[x]!;
    const outerRed = left * data[at]! + right * data[end]!;
    const outerGreen = left * data[at + 1]! + right * data[end + 1]!;
    const outerBlue = left * data[at + 2]! + right * data[end + 2]!;
    let red = 0;
    let green = 0;
    let blue = 0;
    for (at += 3; at < end; at += 3) {
      red += data[at]!;
      green += data[at + 1]!;
      blue += data[at + 2]!;
    }
    const inner = from.weight * innerWeight;
    sums[to]! += outerRed + inner * red;
    sums[to + 1]! += outerGreen + inner * green;
    sums[to + 2]! += outerBlue + inner * blue;
  }
}

export function weightOf(spans: AxisSpans, index: number, position: number): number {
  if (position === spans.first[index]) return spans.firstWeight[index]!;
  return position === spans.last[index] ? spans.lastWeight[index]! : spans.innerWeight;
}

/**
 * The least part of a source pixel that a span must cover. A span skips pixels that it covers less.
 */
const MIN_COVERAGE = 1e-3;

export function axisSpans(sourceLength: number, targetLength: number): AxisSpans {
  const length = sourceLength / targetLength;
  const spans = {
    first: new Int32Array(targetLength),
    last: new Int32Array(targetLength),
    firstWeight: new Float32Array(targetLength),
    lastWeight: new Float32Array(targetLength),
    innerWeight: 1 / length,
  };
  for (let i = 0; i < targetLength; i++) {
    const start = i * length;
    const end = Math.min(start + length, sourceLength);
    const first = Math.floor(start + MIN_COVERAGE);
    const last = Math.max(first, Math.ceil(end - MIN_COVERAGE) - 1);
    spans.first[i] = first;
    spans.last[i] = last;
    spans.firstWeight[i] = first === last ? 1 : (first + 1 - start) / length;
    spans.lastWeight[i] = first === last ? 0 : (end - last) / length;
  }
  return spans;
}
