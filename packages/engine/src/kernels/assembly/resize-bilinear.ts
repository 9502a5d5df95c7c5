/**
 * Stretches one row of source pixels to the target's width. Each value is the weighted sum of two
 * neighbors, in 1/128.
 *
 * @param source RGB bytes; up to 5 bytes behind the row are read
 * @param taps for each target pixel the byte offset of the first neighbor, then the two weights
 *   (0..2048) of 16 bits each; the second neighbor is the next pixel, or has the weight 0
 * @param count number of target pixels; if it is odd, one more tap follows
 * @param into gets 3 values of 16 bits per pixel; up to 10 bytes behind the row are written
 */
export function stretchRow(source: usize, taps: usize, count: i32, into: usize): void {
  const end = taps + ((<usize>count) << 3);
  while (taps < end) {
    const first = v128.load64_zero(source + load<u32>(taps));
    const second = v128.load64_zero(source + load<u32>(taps + 8));
    // The shuffle puts the neighbors of a channel side by side: R R', G G', B B'.
    const pairs = i8x16.shuffle(
      first,
      second,
      0,
      3,
      1,
      4,
      2,
      5,
      6,
      7,
      16,
      19,
      17,
      20,
      18,
      21,
      22,
      23,
    );
    const left = i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(pairs), v128.load32_splat(taps + 4));
    const right = i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(pairs), v128.load32_splat(taps + 12));
    const values = i16x8.narrow_i32x4_u(i32x4.shr_u(left, 4), i32x4.shr_u(right, 4));
    // The shuffle drops the fourth value of each pixel.
    v128.store(
      into,
      i8x16.shuffle(values, values, 0, 1, 2, 3, 4, 5, 8, 9, 10, 11, 12, 13, 0, 0, 0, 0),
    );
    taps += 16;
    into += 12;
  }
}

function upperHalves(values: v128, weight: v128): v128 {
  return i8x16.shuffle(
    i32x4.extmul_low_i16x8_u(values, weight),
    i32x4.extmul_high_i16x8_u(values, weight),
    2,
    3,
    6,
    7,
    10,
    11,
    14,
    15,
    18,
    19,
    22,
    23,
    26,
    27,
    30,
    31,
  );
}

/**
 * Blends two stretched rows into a row of bytes.
 *
 * @param count number of values; the arrays are padded to a multiple of 16
 * @param upperWeight 0..2048, like `lowerWeight`
 */
export function blendRows(
  upper: usize,
  lower: usize,
  upperWeight: i32,
  lowerWeight: i32,
  count: i32,
  out: usize,
): void {
  const above = i16x8.splat(<i16>upperWeight);
  const below = i16x8.splat(<i16>lowerWeight);
  const two = i16x8.splat(2);
  const end = out + count;
  while (out < end) {
    const first = i16x8.add(
      i16x8.add(upperHalves(v128.load(upper), above), upperHalves(v128.load(lower), below)),
      two,
    );
    const second = i16x8.add(
      i16x8.add(upperHalves(v128.load(upper, 16), above), upperHalves(v128.load(lower, 16), below)),
      two,
    );
    v128.store(out, i8x16.narrow_i16x8_u(i16x8.shr_u(first, 2), i16x8.shr_u(second, 2)));
    upper += 32;
    lower += 32;
    out += 16;
  }
}
