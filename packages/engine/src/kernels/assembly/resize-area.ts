/**
 * The bytes of a pair of spans: for each span the offsets of its first and last pixel, then the
 * weights of both first pixels, then the weights of both last pixels.
 */
export const PAIR_BYTES: usize = 32;
/** The bytes of two sums: red and green of both sums, then blue of both sums. */
const SUMS_BYTES: usize = 24;
/** The bytes of four pixels. */
const CHUNK: usize = 12;
/**
 * The offsets of two orders in `orders` (see `storeOrders`): the order that selects no pixel, and the order that
 * selects all four pixels of a chunk.
 */
const ORDER_OF_NONE: usize = 48;
const ORDER_OF_CHUNK: usize = 240;

/**
 * Adds source rows to the sums of a target row. In each row a span contributes its first pixel, its last pixel and
 * the sum of the pixels between them, each multiplied by its weight and the row's weight. The contribution is
 * computed in double precision, and each new sum is rounded to single precision. The order of the additions is that
 * of the reference (`resizeArea` of `math`).
 *
 * @param source address of the first row of RGB bytes; up to 15 bytes behind a row are read
 * @param stride bytes per row
 * @param weights one double per row
 * @param pairs spans of two target pixels each, see `PAIR_BYTES`
 * @param orders bytes to add for -1, 0, ... 4 pixels between the ends of a span, 48 bytes apart
 * @param inner weight of each pixel between the ends of a span
 * @param sums see `SUMS_BYTES`
 */
export function addRows(
  source: usize,
  stride: i32,
  weights: usize,
  weightsEnd: usize,
  pairs: usize,
  pairsEnd: usize,
  orders: usize,
  inner: f64,
  sums: usize,
): void {
  for (let pair = pairs; pair < pairsEnd; pair += PAIR_BYTES) {
    let firstA = source + load<u32>(pair);
    let lastA = source + load<u32>(pair, 4);
    let firstB = source + load<u32>(pair, 8);
    let lastB = source + load<u32>(pair, 12);
    const firstWeights = f64x2.promote_low_f32x4(v128.load64_zero(pair, 16));
    const lastWeights = f64x2.promote_low_f32x4(v128.load64_zero(pair, 24));
    let sumA = v128.load64_zero(sums);
    let sumB = v128.load64_zero(sums, 8);
    let sumBlue = v128.load64_zero(sums, 16);
    for (let at = weights; at < weightsEnd; at += 8) {
      const weight = v128.load64_splat(at);
      const left = f64x2.mul(weight, firstWeights);
      const right = f64x2.mul(weight, lastWeights);
      const between = f64x2.mul(weight, f64x2.splat(inner));
      const a0 = v128.load32_zero(firstA);
      const a1 = v128.load32_zero(lastA);
      const b0 = v128.load32_zero(firstB);
      const b1 = v128.load32_zero(lastB);
      const a = sumBetween(firstA + 3, lastA, orders);
      const b = sumBetween(firstB + 3, lastB, orders);
      sumA = addRounded(
        sumA,
        f64x2.add(
          f64x2.mul(lowTwice(left), redGreen(a0)),
          f64x2.mul(lowTwice(right), redGreen(a1)),
        ),
        f64x2.mul(between, f64x2.convert_low_i32x4_s(a)),
      );
      sumB = addRounded(
        sumB,
        f64x2.add(
          f64x2.mul(highTwice(left), redGreen(b0)),
          f64x2.mul(highTwice(right), redGreen(b1)),
        ),
        f64x2.mul(between, f64x2.convert_low_i32x4_s(b)),
      );
      sumBlue = addRounded(
        sumBlue,
        f64x2.add(f64x2.mul(left, blues(a0, b0)), f64x2.mul(right, blues(a1, b1))),
        f64x2.mul(between, f64x2.convert_low_i32x4_s(thirds(a, b))),
      );
      firstA += stride;
      lastA += stride;
      firstB += stride;
      lastB += stride;
    }
    v128.store64_lane(sums, sumA, 0);
    v128.store64_lane(sums, sumB, 0, 8);
    v128.store64_lane(sums, sumBlue, 0, 16);
    sums += SUMS_BYTES;
  }
}

/**
 * Writes sums as bytes and resets them to 0.5, so that the truncation to bytes rounds.
 *
 * @param out gets RGB bytes; up to 10 bytes behind the row are written
 */
export function finishRow(sums: usize, sumsEnd: usize, out: usize): void {
  const half = f32x4.splat(0.5);
  for (; sums < sumsEnd; sums += SUMS_BYTES) {
    const redsGreens = i32x4.trunc_sat_f32x4_s(v128.load(sums));
    const blue = i32x4.trunc_sat_f32x4_s(v128.load64_zero(sums, 16));
    // The shuffle takes the lowest bytes: red, green and blue of one pixel, then those of the other
    // pixel.
    v128.store64_lane(
      out,
      i8x16.shuffle(redsGreens, blue, 0, 4, 16, 8, 12, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
      0,
    );
    v128.store(sums, half);
    v128.store64_lane(sums, half, 0, 16);
    out += 6;
  }
}

/**
 * Adds the weighted pixels of a span to a sum. It first adds up the weighted pixels, as the reference (`resizeArea`
 * of `math`) does, because another order would round differently.
 */
function addRounded(sum: v128, outer: v128, inner: v128): v128 {
  const added = f64x2.add(f64x2.promote_low_f32x4(sum), f64x2.add(outer, inner));
  return f32x4.demote_f64x2_zero(added);
}

/** Sums red, green and blue of the pixels from `at` up to, but not including, `last`. */
function sumBetween(at: usize, last: usize, orders: usize): v128 {
  let sum = i32x4.splat(0);
  while (<i32>(last - at) > <i32>CHUNK) {
    sum = i32x4.add(sum, sumOf(v128.load(at), v128.load(orders, ORDER_OF_CHUNK)));
    at += CHUNK;
  }
  const order = v128.load(orders + ((last - at) << 4), ORDER_OF_NONE);
  return i32x4.add(sum, sumOf(v128.load(at), order));
}

function sumOf(pixels: v128, order: v128): v128 {
  const pairs = i16x8.extadd_pairwise_i8x16_u(i8x16.swizzle(pixels, order));
  return i32x4.dot_i16x8_s(pairs, i16x8.splat(1));
}

function redGreen(pixel: v128): v128 {
  const lanes = i8x16(0, -1, -1, -1, 1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
  return f64x2.convert_low_i32x4_s(i8x16.swizzle(pixel, lanes));
}

function blues(a: v128, b: v128): v128 {
  const both = i8x16.shuffle(a, b, 0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20, 21, 22, 23);
  const lanes = i8x16(2, -1, -1, -1, 6, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1);
  return f64x2.convert_low_i32x4_s(i8x16.swizzle(both, lanes));
}

function thirds(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 9, 10, 11, 24, 25, 26, 27, 12, 13, 14, 15, 28, 29, 30, 31);
}

function lowTwice(v: v128): v128 {
  return i8x16.shuffle(v, v, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7);
}

function highTwice(v: v128): v128 {
  return i8x16.shuffle(v, v, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15);
}
