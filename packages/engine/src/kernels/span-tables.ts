import type { AxisSpans } from '../math/resize-area.ts';
import { MEMORY } from './kernels.ts';
import type { Scratch } from './scratch.ts';

/** The bytes of two spans: four byte offsets and four weights. */
export const PAIR_BYTES = 32;
/** The bytes of an order, see {@link storeOrders}. */
const ORDER_STEP = 48;
const MAX_ORDERED = 4;

/**
 * Stores the columns' spans in pairs, as the kernels read them.
 *
 * @returns address of the pairs
 */
export function storeSpans(
  { first, last, firstWeight, lastWeight }: AxisSpans,
  scratch: Scratch,
): number {
  const { uint32, float32 } = MEMORY;
  const pairs = scratch.take((PAIR_BYTES * (first.length + 1)) / 2);
  // If the number of spans is odd, the last span is paired with itself.
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
 * Stores an order for each possible number of pixels between the ends of a span, from -1 to 4. An order lists which
 * bytes of a chunk of four pixels the kernel adds up: four reds, four greens, four blues. An index of 128 or more
 * selects no byte. The number is -1 for a span of one pixel, whose ends are the same pixel; it adds nothing, like 0.
 *
 * @returns address of the orders
 */
export function storeOrders(scratch: Scratch): number {
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
