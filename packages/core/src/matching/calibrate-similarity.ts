import type { CalibrationKnots } from '../models/model.ts';

/**
 * Maps a cosine, -1 to 1, to the model's similarity. The mapping is linear between the knots, and constant before the
 * first and after the last one. Without knots, the similarity is the cosine.
 */
export function calibrateSimilarity(cosine: number, knots: CalibrationKnots | null): number {
  if (knots === null || knots.length === 0) return cosine;
  const above = knots.findIndex(([x]) => x >= cosine);
  if (above === -1) return knots.at(-1)![1];
  const [x1, y1] = knots[above]!;
  if (above === 0) return y1;
  const [x0, y0] = knots[above - 1]!;
  return x1 === x0 ? y1 : y0 + ((cosine - x0) / (x1 - x0)) * (y1 - y0);
}

/** Returns the least cosine whose similarity is at least the given one; Infinity if there is none. */
export function leastCosine(similarity: number, knots: CalibrationKnots | null): number {
  if (knots === null || knots.length === 0) return similarity;
  const above = knots.findIndex(([, y]) => y >= similarity);
  if (above === -1) return Infinity;
  if (above === 0) return -1;
  const [x0, y0] = knots[above - 1]!;
  const [x1, y1] = knots[above]!;
  return x0 + ((similarity - y0) / (y1 - y0)) * (x1 - x0);
}
