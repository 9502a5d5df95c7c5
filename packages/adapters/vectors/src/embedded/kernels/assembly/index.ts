/** Bytes per iteration of the inner loop: `LANES` floats. */
const ITERATION_BYTES = 64;

/**
 * Writes the dot product of a query with each of consecutive rows. Four accumulators, because with a single one each
 * addition would wait for the previous one.
 *
 * @param row the first one; all rows are as long as the query, which is a multiple of ITERATION_BYTES
 * @param rowsEnd exclusive, as is queryEnd
 * @param scores a float per row
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
