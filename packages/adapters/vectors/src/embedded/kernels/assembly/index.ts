/** The number of bytes that one iteration of the inner loop reads: `LANES` floats. */
const ITERATION_BYTES = 64;

/**
 * Writes the dot product of the query with each of several consecutive rows. The loop uses four accumulators, because
 * with a single one each addition would wait for the previous one.
 *
 * @param row the address of the first row; each row is as long as the query, a multiple of ITERATION_BYTES
 * @param rowsEnd the address after the last row
 * @param queryEnd the address after the query
 * @param scores the address of the results, one float per row
 */
export function score(
  row: usize,
  rowsEnd: usize,
  query: usize,
  queryEnd: usize,
  scores: usize,
): void {
  for (; row < rowsEnd; scores += 4) {
    let a = f32x4.splat(0);
    let b = a;
    let c = a;
    let d = a;
    for (let at = query; at < queryEnd; at += ITERATION_BYTES, row += ITERATION_BYTES) {
      a = f32x4.add(a, f32x4.mul(v128.load(row), v128.load(at)));
      b = f32x4.add(b, f32x4.mul(v128.load(row, 16), v128.load(at, 16)));
      c = f32x4.add(c, f32x4.mul(v128.load(row, 32), v128.load(at, 32)));
      d = f32x4.add(d, f32x4.mul(v128.load(row, 48), v128.load(at, 48)));
    }
    a = f32x4.add(f32x4.add(a, b), f32x4.add(c, d));
    const low = f32x4.extract_lane(a, 0) + f32x4.extract_lane(a, 1);
    const high = f32x4.extract_lane(a, 2) + f32x4.extract_lane(a, 3);
    store<f32>(scores, low + high);
  }
}
