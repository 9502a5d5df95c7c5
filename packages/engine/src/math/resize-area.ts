import type { Raster } from '../image/raster.ts';
import { type Canvas, resizeBilinear, type Size } from './resize-bilinear.ts';

/** Which source pixels lie under each target pixel along one axis, and how much of the outer ones. */
interface AxisSpans {
  readonly first: Int32Array;
  /** Not before `first`; where it is the same pixel, `lastWeight` is 0. */
  readonly last: Int32Array;
  /** Shares of the span's length, as `innerWeight` for each pixel between the two. */
  readonly firstWeight: Float32Array;
  readonly lastWeight: Float32Array;
  readonly innerWeight: number;
}

/**
 * Shrinks to means: each pixel of the result is the mean of all that lies under it, so that no
 * detail is lost between two samples. Within one level of `cv2.resize(..., INTER_AREA)`. The cost
 * follows the source's size. What does not shrink along both axes is interpolated, see
 * {@link resizeBilinear}.
 *
 * @param size sides of the result in pixels, at least 1
 * @param canvas where to write: RGB
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
    // One half more: storing cuts the fraction off.
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

/** Adds the means of one source row. Pixels between the outer two of a span are summed as they are. */
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

function weightOf(spans: AxisSpans, index: number, position: number): number {
  if (position === spans.first[index]) return spans.firstWeight[index]!;
  return position === spans.last[index] ? spans.lastWeight[index]! : spans.innerWeight;
}

/** A pixel of the source that a span covers by less than this is not read. */
const LEAST_COVER = 1e-3;

function axisSpans(sourceLength: number, targetLength: number): AxisSpans {
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
    const first = Math.floor(start + LEAST_COVER);
    const last = Math.max(first, Math.ceil(end - LEAST_COVER) - 1);
    spans.first[i] = first;
    spans.last[i] = last;
    spans.firstWeight[i] = first === last ? 1 : (first + 1 - start) / length;
    spans.lastWeight[i] = first === last ? 0 : (end - last) / length;
  }
  return spans;
}
