/**
 * Writes the rounded means of 2x2 pixels.
 *
 * @param upper RGB bytes of a row, like `lower`; up to 4 bytes behind a row are read
 * @param out gets RGB bytes; up to 5 bytes behind the row are written
 */
export function halveRows(upper: usize, lower: usize, count: i32, out: usize): void {
  const end = out + <usize>count * 3;
  const two = i16x8.splat(2);
  for (; out < end; out += 6) {
    const above = v128.load(upper);
    const below = v128.load(lower);
    const low = i16x8.add(i16x8.extend_low_i8x16_u(above), i16x8.extend_low_i8x16_u(below));
    const high = i16x8.add(i16x8.extend_high_i8x16_u(above), i16x8.extend_high_i8x16_u(below));
    // The even pixels are the first and third of four in a row, and the odd pixels are the
    // second and fourth.
    const even = i8x16.shuffle(low, high, 0, 1, 2, 3, 4, 5, 12, 13, 14, 15, 16, 17, 0, 0, 0, 0);
    const odd = i8x16.shuffle(low, high, 6, 7, 8, 9, 10, 11, 18, 19, 20, 21, 22, 23, 0, 0, 0, 0);
    const means = i16x8.shr_u(i16x8.add(i16x8.add(even, odd), two), 2);
    v128.store64_lane(out, i8x16.narrow_i16x8_u(means, means), 0);
    upper += 12;
    lower += 12;
  }
}
