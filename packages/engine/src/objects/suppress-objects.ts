import { nonMaximumSuppression } from '../math/non-maximum-suppression.ts';
import type { ObjectCandidate } from './object-candidate.ts';

/**
 * The largest IoU of two objects of a class, and the most objects per image. Both values are
 * defaults of ultralytics.
 */
const NMS_THRESHOLD = 0.7;
export const MAX_OBJECTS = 300;
/**
 * The maximum number of candidates that suppression compares. Its cost grows with the square of their number, and a
 * threshold near 0 would accept every cell.
 */
const MAX_CANDIDATES = 3_000;

/**
 * Non-maximum suppression per class (IoU above 0.7, the default of ultralytics' `predict`). Objects
 * of different classes never suppress each other.
 *
 * @returns at most 300 objects, best first
 */
export function suppressObjects(candidates: readonly ObjectCandidate[]): ObjectCandidate[] {
  const best = candidates.toSorted((a, b) => b.score - a.score).slice(0, MAX_CANDIDATES);
  const kept = [...Map.groupBy(best, ({ classId }) => classId).values()].flatMap(suppressClass);
  return kept.sort((a, b) => b.score - a.score).slice(0, MAX_OBJECTS);
}

function suppressClass(candidates: readonly ObjectCandidate[]): ObjectCandidate[] {
  const indices = nonMaximumSuppression(
    Float32Array.from(candidates.flatMap(({ x1, y1, x2, y2 }) => [x1, y1, x2, y2])),
    Float32Array.from(candidates, ({ score }) => score),
    NMS_THRESHOLD,
  );
  return indices.map((index) => candidates[index]!);
}
