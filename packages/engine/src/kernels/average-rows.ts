import { type AxisSpans, axisSpans, weightOf } from '../math/resize-area.ts';
import { kernels, MEMORY } from './kernels.ts';
import type { Resizing, RowReceiver } from './resizing.ts';
import { SourceRows } from './source-rows.ts';
import { PAIR_BYTES, storeOrders, storeSpans } from './span-tables.ts';

/** The bytes of the sums of two target pixels: six floats. */
const SUMS_BYTES = 24;
const FLOAT_BYTES = 4;
const DOUBLE_BYTES = 8;
/**
 * An upper bound for the error of one rounding of a sum below 256 to single precision, in the kernel and the
 * reference (`resizeArea` of `math`) together. A sum is rounded once per added pixel, and a few more times for the
 * products.
 */
const ROUNDING = 2 ** -15;
/** The bytes that the kernel writes at once: the floats of 16 bytes. */
const FLOATS_AT_ONCE = 64;

/** Resizes like `resizeArea`, provided that no side grows. */
export function averageRows({ source, size, scratch }: Resizing, receive: RowReceiver): void {
  const row = new AveragedRow({ source, size, scratch });
  for (let y = 0; y < size.height; y++) {
    row.compute(y);
    receive(row.out, y);
  }
}

/**
 * Averages the source rows under a target row first, and then the pixels within the resulting row. This order is
 * faster than that of the reference (`resizeArea` of `math`). A value that might round to another byte than in the
 * reference is computed again in the reference's order.
 */
class AveragedRow {
  readonly out: number;
  readonly #columns: AxisSpans;
  readonly #spans: AxisSpans;
  readonly #pairs: number;
  readonly #pairsEnd: number;
  readonly #orders: number;
  readonly #sums: number;
  readonly #sumsEnd: number;
  readonly #weights: number;
  readonly #weighed: number;
  readonly #margin: number;
  readonly #rows: SourceRows;

  constructor({ source, size, scratch }: Resizing) {
    this.#columns = axisSpans(source.width, size.width);
    this.#spans = axisSpans(source.height, size.height);
    const pairCount = Math.ceil(size.width / 2);
    // A span covers at most one pixel more than its length, rounded up.
    const across = Math.ceil(source.width / size.width) + 1;
    const down = Math.ceil(source.height / size.height) + 1;
    this.#margin = isExact(source.width / size.width, source.height / size.height)
      ? 0
      : (across + down + 4) * ROUNDING;
    this.#pairs = storeSpans(this.#columns, scratch);
    this.#pairsEnd = this.#pairs + PAIR_BYTES * pairCount;
    this.#orders = storeOrders(scratch);
    this.#sums = scratch.take(SUMS_BYTES * pairCount);
    this.#sumsEnd = this.#sums + SUMS_BYTES * pairCount;
    MEMORY.float32.fill(0.5, this.#sums >> 2, this.#sumsEnd >> 2);
    this.out = scratch.take(3 * size.width);
    this.#weights = scratch.take(DOUBLE_BYTES * down);
    this.#weighed = scratch.take(3 * FLOAT_BYTES * source.width + FLOATS_AT_ONCE);
    this.#rows = new SourceRows(source, scratch, { rows: down, ahead: true });
  }

  compute(y: number): void {
    const first = this.#spans.first[y]!;
    const count = this.#spans.last[y]! + 1 - first;
    for (let row = 0; row < count; row++) {
      MEMORY.float64[(this.#weights >> 3) + row] = weightOf(this.#spans, y, first + row);
    }
    if (count <= this.#rows.capacity) this.#average(first, count);
    else this.#addInParts(first, count);
  }

  #average(first: number, count: number): void {
    const source = this.#rows.load(first, count);
    const weightsEnd = this.#weights + DOUBLE_BYTES * count;
    const { stride } = this.#rows;
    kernels.weighRows(source, stride, this.#weights, weightsEnd, stride, this.#weighed);
    kernels.averageRow(
      this.#weighed,
      this.#margin,
      source,
      stride,
      this.#weights,
      weightsEnd,
      this.#pairs,
      this.#pairsEnd,
      this.#orders,
      this.#columns.innerWeight,
      this.#sums,
      this.out,
    );
  }

  /** Adds the rows in parts, because they do not all fit into memory at once. */
  #addInParts(first: number, count: number): void {
    const { capacity, stride } = this.#rows;
    for (let row = 0; row < count; row += capacity) {
      const part = Math.min(capacity, count - row);
      const weights = this.#weights + DOUBLE_BYTES * row;
      kernels.addRows(
        this.#rows.load(first + row, part),
        stride,
        weights,
        weights + DOUBLE_BYTES * part,
        this.#pairs,
        this.#pairsEnd,
        this.#orders,
        this.#columns.innerWeight,
        this.#sums,
      );
    }
    kernels.finishRow(this.#sums, this.#sumsEnd, this.out);
  }
}

/**
 * Returns whether all sums are exact in single precision, so that the order of the additions does not matter. This
 * holds if both sides shrink by a power of two, because all weights are then powers of two.
 */
function isExact(across: number, down: number): boolean {
  const isPower = (ratio: number) => Number.isInteger(ratio) && (ratio & (ratio - 1)) === 0;
  return isPower(across) && isPower(down) && across * down <= 2 ** 12;
}
