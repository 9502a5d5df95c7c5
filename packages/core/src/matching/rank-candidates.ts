import type { Candidate } from '../identities/candidate.ts';
import type { CalibrationKnots } from '../models/model.ts';
import { calibrateSimilarity } from './calibrate-similarity.ts';
import { cosineSimilarity } from './cosine-similarity.ts';

/** A reference of an identity, or the mean of all its references. The vector is L2-normalized. */
export interface GalleryVector {
  readonly identityId: number;
  readonly vector: Float32Array;
}

/** Sorts descending by similarity, then ascending by the identity's id. */
export function compareCandidates(a: Candidate, b: Candidate): number {
  return b.similarity - a.similarity || a.identityId - b.identityId;
}

/** Whether two lists have the same candidates with the same similarities in the same order. */
export function areSameCandidates(
  some: readonly Candidate[],
  others: readonly Candidate[],
): boolean {
  return (
    some.length === others.length &&
    some.every(({ identityId, similarity }, index) => {
      const other = others[index]!;
      return identityId === other.identityId && similarity === other.similarity;
    })
  );
}

/**
 * Ranks identities by the strategy `best_match`: each identity has the similarity of its closest reference. The order is
 * that of {@link compareCandidates}.
 *
 * @param query L2-normalized
 * @throws RangeError if a reference and the query have different lengths
 */
export function rankByBestReference(
  query: Float32Array,
  references: readonly GalleryVector[],
  knots: CalibrationKnots | null,
): readonly Candidate[] {
  const closest = new Map<number, number>();
  for (const { identityId, vector } of references) {
    const cosine = cosineSimilarity(query, vector);
    if (cosine > (closest.get(identityId) ?? -Infinity)) closest.set(identityId, cosine);
  }
  // Only the closest reference needs calibration, because calibrations are monotone.
  return Array.from(closest, ([identityId, cosine]) => ({
    identityId,
    similarity: calibrateSimilarity(cosine, knots),
  })).sort(compareCandidates);
}

/**
 * Ranks identities by the strategy `average`: each identity has the similarity of the mean of its references. The order
 * is that of {@link compareCandidates}.
 *
 * @param query L2-normalized
 * @param means one per identity
 * @throws RangeError if a mean and the query have different lengths
 */
export function rankByMean(
  query: Float32Array,
  means: readonly GalleryVector[],
  knots: CalibrationKnots | null,
): readonly Candidate[] {
  return means
    .map(({ identityId, vector }) => ({
      identityId,
      similarity: calibrateSimilarity(cosineSimilarity(query, vector), knots),
    }))
    .sort(compareCandidates);
}
