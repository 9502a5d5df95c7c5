import { addRows, finishRow, PAIR_BYTES } from './resize-area';

/**
 * Adds rows, each multiplied by its weight, in single precision.
 *
 * @param source address of the first row; up to 15 bytes behind a row are read
 * @param stride bytes per row
 * @param weights one double per row
 * @param bytes bytes of a row
 * @param into gets a float per byte; up to 60 bytes behind the floats are written
 */
export function weighRows(
  source: usize,
  stride: i32,
  weights: usize,
  weightsEnd: usize,
  bytes: i32,
  into: usize,
): void {
  const end = source + bytes;
  for (; source < end; source += 16, into += 64) {
    let a = f32x4.splat(0);
    let b = a;
    let c = a;
    let d = a;
    let row = source;
    for (let at = weights; at < weightsEnd; at += 8, row += stride) {
      const weight = f32x4.splat(<f32>load<f64>(at));
      const values = v128.load(row);
      const low = i16x8.extend_low_i8x16_u(values);
      const high = i16x8.extend_high_i8x16_u(values);
      a = f32x4.add(a, f32x4.mul(weight, toFloats(i32x4.extend_low_i16x8_u(low))));
      b = f32x4.add(b, f32x4.mul(weight, toFloats(i32x4.extend_high_i16x8_u(low))));
      c = f32x4.add(c, f32x4.mul(weight, toFloats(i32x4.extend_low_i16x8_u(high))));
      d = f32x4.add(d, f32x4.mul(weight, toFloats(i32x4.extend_high_i16x8_u(high))));
    }
    v128.store(into, a);
    v128.store(into, b, 16);
    v128.store(into, c, 32);
    v128.store(into, d, 48);
  }
}

/**
 * Writes a target row from rows that `weighRows` has added up. It adds in another order than the reference
 * (`resizeArea` of `math`), so its sums differ slightly. If a sum is so close to a whole number that truncation might
 * yield another byte than in the reference, `addRows` computes the sum again.
 *
 * @param weighed result of `weighRows`
 * @param margin largest difference from the reference's sums
 * @param source `addRows` describes this and the further arguments
 * @param sums memory for the sums of two target pixels (see `addRows`), all set to 0.5
 * @param out gets RGB bytes; up to 10 bytes behind the row are written
 */
export function averageRow(
  weighed: usize,
  margin: f32,
  source: usize,
  stride: i32,
  weights: usize,
  weightsEnd: usize,
  pairs: usize,
  pairsEnd: usize,
  orders: usize,
  inner: f64,
  sums: usize,
  out: usize,
): void {
  const limit = f32x4.splat(0.5 - margin);
  const between = f32x4.splat(<f32>inner);
  for (let pair = pairs; pair < pairsEnd; pair += PAIR_BYTES, out += 6) {
    const a = meanOf(weighed, pair, between, 0);
    const b = meanOf(weighed, pair, between, 1);
    const wholeA = i32x4.trunc_sat_f32x4_s(a);
    const wholeB = i32x4.trunc_sat_f32x4_s(b);
    const near = v128.or(isNear(a, wholeA, limit), isNear(b, wholeB, limit));
    // The mask 7 ignores the fourth lane, which belongs to another pixel.
    if (i32x4.bitmask(near) & 7) {
      const end = pair + PAIR_BYTES;
      addRows(source, stride, weights, weightsEnd, pair, end, orders, inner, sums);
      finishRow(sums, sums + 1, out);
    } else {
      const bytes = i8x16.shuffle(
        wholeA,
        wholeB,
        0,
        4,
        8,
        16,
        20,
        24,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
        0,
      );
      v128.store64_lane(out, bytes, 0);
    }
  }
}

/** Returns red, green and blue of one of two target pixels, plus 0.5. */
function meanOf(weighed: usize, pair: usize, between: v128, index: usize): v128 {
  const span = pair + (index << 3);
  const weight = pair + (index << 2);
  let at = weighed + ((<usize>load<u32>(span)) << 2);
  const last = weighed + ((<usize>load<u32>(span, 4)) << 2);
  const outer = f32x4.add(
    f32x4.mul(v128.load32_splat(weight, 16), v128.load(at)),
    f32x4.mul(v128.load32_splat(weight, 24), v128.load(last)),
  );
  let sum = f32x4.splat(0);
  for (at += 12; at < last; at += 12) sum = f32x4.add(sum, v128.load(at));
  return f32x4.add(f32x4.add(outer, f32x4.mul(between, sum)), f32x4.splat(0.5));
}

/**
 * Returns whether a sum is close to a whole number: whether its fraction differs from a half by
 * more than the limit.
 */
function isNear(sum: v128, whole: v128, limit: v128): v128 {
  const part = f32x4.sub(sum, toFloats(whole));
  return f32x4.gt(f32x4.abs(f32x4.sub(part, f32x4.splat(0.5))), limit);
}

function toFloats(numbers: v128): v128 {
  return f32x4.convert_i32x4_s(numbers);
}
