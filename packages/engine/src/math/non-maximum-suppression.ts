// Math is destructured once because Jest runs tests in a vm context, where every access to a global
// is slow.
const { max, min } = Math;

/**
 * Greedy non-maximum suppression: keeps the best box, drops boxes that overlap it by more than the
 * threshold, and repeats with the best of the remaining boxes.
 *
 * Boxes are areas, not pixel ranges. If a reference implementation counts both edge pixels ("+ 1"),
 * pass boxes whose right and lower edges are larger by one.
 *
 * @param boxes x1, y1, x2, y2 of each box
 * @param scores one score per box
 * @param iouThreshold largest intersection over union, 0..1, that two kept boxes may have
 * @returns indices of the kept boxes, highest score first; for equal scores the lower index first
 */
export function nonMaximumSuppression(
  boxes: Float32Array,
  scores: Float32Array,
  iouThreshold: number,
): number[] {
  const order = Array.from(scores.keys()).sort((a, b) => scores[b]! - scores[a]! || a - b);
  const kept: number[] = [];
  for (const index of order) {
    if (!kept.some((other) => overlap(boxes, other, index) > iouThreshold)) kept.push(index);
  }
  return kept;
}

function overlap(boxes: Float32Array, a: number, b: number): number {
  const i = 4 * a;
  const j = 4 * b;
  const width = min(boxes[i + 2]!, boxes[j + 2]!) - max(boxes[i]!, boxes[j]!);
  const height = min(boxes[i + 3]!, boxes[j + 3]!) - max(boxes[i + 1]!, boxes[j + 1]!);
  if (width <= 0 || height <= 0) return 0;
  const intersection = width * height;
  return intersection / (areaAt(boxes, i) + areaAt(boxes, j) - intersection);
}

function areaAt(boxes: Float32Array, i: number): number {
  return (boxes[i + 2]! - boxes[i]!) * (boxes[i + 3]! - boxes[i + 1]!);
}
