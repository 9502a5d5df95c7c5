import { type AxisSpans, axisSpans, weightOf } from '../math/resize-area.ts';
import { kernels, MEMORY } from './kernels.ts';
import type { Resizing, RowReceiver } from './resizing.ts';
import type { Scratch } from './scratch.ts';
import { SourceRows } from './source-rows.ts';

/** Of two spans: four byte offsets, four weights. */
const PAIR_BYTES = 32;
/** Of two target pixels, six floats. */
const SUMS_BYTES = 24;
const DOUBLE_BYTES = 8;
/** Bytes between two orders; also the offset of the order for no pixel. */
const ORDER_STEP = 48;
const MAX_ORDERED = 4;

/** What `resizeArea` does if no side grows. */
export function averageRows({ source, size, scratch }: Resizing, receive: RowReceiver): void {
  const columns = axisSpans(source.width, size.width);
  const spans = axisSpans(source.height, size.height);
  const pairCount = Math.ceil(size.width / 2);
  const pairs = storeSpans(columns, scratch);
  const orders = storeOrders(scratch);
  const sums = scratch.take(SUMS_BYTES * pairCount);
  const sumsEnd = sums + SUMS_BYTES * pairCount;
  const out = scratch.take(3 * size.width);
  // A span has at most one row more than its length, rounded up.
  const span = Math.ceil(source.height / size.height) + 1;
  const weights = scratch.take(DOUBLE_BYTES * span);
  const rows = new SourceRows(source, scratch, { rows: span, ahead: true });
  MEMORY.float32.fill(0.5, sums >> 2, sumsEnd >> 2);
  for (let y = 0; y < size.height; y++) {
    const first = spans.first[y]!;
    const end = spans.last[y]! + 1;
    for (let row = first; row < end; row++) {
      MEMORY.float64[(weights >> 3) + row - first] = weightOf(spans, y, row);
    }
    for (let row = first; row < end; row += rows.capacity) {
      const count = Math.min(rows.capacity, end - row);
      const from = weights + DOUBLE_BYTES * (row - first);
      kernels.addRows(
        rows.load(row, count),
        rows.stride,
        from,
        from + DOUBLE_BYTES * count,
        pairs,
        pairs + PAIR_BYTES * pairCount,
        orders,
        columns.innerWeight,
        sums,
      );
    }
    kernels.finishRow(sums, sumsEnd, out);
    receive(out, y);
  }
}

function storeSpans({ first, last, firstWeight, lastWeight }: AxisSpans, scratch: Scratch): number {
  const { uint32, float32 } = MEMORY;
  const pairs = scratch.take((PAIR_BYTES * (first.length + 1)) / 2);
  // Of an odd number, the last span is its own neighbor.
  for (let i = 0; i < first.length + (first.length % 2); i++) {
    const x = Math.min(i, first.length - 1);
    const word = (pairs + PAIR_BYTES * (i >> 1)) >> 2;
    const odd = i % 2;
    uint32[word + 2 * odd] = 3 * first[x]!;
    uint32[word + 2 * odd + 1] = 3 * last[x]!;
    float32[word + 4 + odd] = firstWeight[x]!;
    float32[word + 6 + odd] = lastWeight[x]!;
  }
  return pairs;
}

/**
 * For each number of pixels, which bytes of a chunk to add: four reds, four greens, four blues. A
 * number from 128 on takes none. The first order, for -1 pixels, is that of spans of one pixel.
 */
function storeOrders(scratch: Scratch): number {
  const orders = scratch.take(ORDER_STEP * (MAX_ORDERED + 2));
  MEMORY.bytes.fill(255, orders, orders + ORDER_STEP * (MAX_ORDERED + 2));
  for (let pixels = 1; pixels <= MAX_ORDERED; pixels++) {
    const order = orders + ORDER_STEP * (pixels + 1);
    for (let byte = 0; byte < 3 * pixels; byte++) {
      MEMORY.bytes[order + 4 * (byte % 3) + Math.floor(byte / 3)] = byte;
    }
  }
  return orders;
}
