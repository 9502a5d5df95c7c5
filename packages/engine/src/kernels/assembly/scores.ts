/**
 * Collects the indices of the values that reach a threshold.
 *
 * @param count number of values; up to 3 further values are read
 * @param start index of the first value
 * @param out gets indices of 32 bits each; up to 3 further indices are written
 * @returns end of the indices
 */
export function indicesFrom(
  values: usize,
  count: i32,
  threshold: f32,
  start: i32,
  out: usize,
): usize {
  const limit = f32x4.splat(threshold);
  for (let i = 0; i < count; i += 4, values += 16) {
    const reached = f32x4.ge(v128.load(values), limit);
    if (v128.any_true(reached)) out = collect(i32x4.bitmask(reached), i, count, start, out);
  }
  return out;
}

function collect(mask: i32, first: i32, count: i32, start: i32, out: usize): usize {
  for (let i = first; i < min(first + 4, count); i++, mask >>= 1) {
    if (!(mask & 1)) continue;
    store<i32>(out, start + i);
    out += 4;
  }
  return out;
}

/**
 * Keeps for each cell the greatest score so far and its class; among equal scores, the first class.
 *
 * @param scores scores of one class, a float per cell; arrays are padded to a multiple of 4
 * @param best greatest scores, floats
 * @param bestClasses classes of the greatest scores, 32 bits each
 */
export function keepBest(
  scores: usize,
  count: i32,
  classId: i32,
  best: usize,
  bestClasses: usize,
): void {
  const classes = i32x4.splat(classId);
  const end = scores + ((<usize>count) << 2);
  while (scores < end) {
    const score = v128.load(scores);
    const before = v128.load(best);
    const greater = f32x4.gt(score, before);
    v128.store(best, v128.bitselect(score, before, greater));
    v128.store(bestClasses, v128.bitselect(classes, v128.load(bestClasses), greater));
    scores += 16;
    best += 16;
    bestClasses += 16;
  }
}
