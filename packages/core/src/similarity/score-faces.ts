import { similarityToOthers } from '../matching/similarity-to-others.ts';
import type { CalibrationKnots } from '../models/model.ts';
import type { ScoredFace } from '../groups/scored-face.ts';
import type { MismatchScore } from '../groups/mismatch-score.ts';

/**
 * Compares confirmed faces with the other references of their identities.
 *
 * @param ids the faces to compare
 * @param comparable those of them that can be compared
 * @returns a score for each face; null without other references
 */
export function scoreFaces(
  ids: readonly number[],
  comparable: readonly ScoredFace[],
  knots: CalibrationKnots | null,
): Map<number, MismatchScore | null> {
  const scores = new Map<number, MismatchScore | null>(ids.map((id) => [id, null]));
  for (const face of comparable) {
    const { id, identityId } = face;
    const similarity = similarityToOthers(face, knots);
    if (similarity !== null && Number.isFinite(similarity)) {
      scores.set(id, { id, identityId, similarity });
    }
  }
  return scores;
}
