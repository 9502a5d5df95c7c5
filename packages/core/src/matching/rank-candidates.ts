import type { Candidate } from '../identities/candidate.ts';
import type { CalibrationKnots } from '../models/model.ts';
import { calibrateSimilarity } from './calibrate-similarity.ts';
import { cosineSimilarity } from './cosine-similarity.ts';

/** A reference of an identity, or the mean of its references; L2-normalized. */
export interface GalleryVector {
  readonly identityId: number;
  readonly vector: Float32Array;
}

/** Sorts the most similar first; ties by identity id. */
export function compareCandidates(a: Candidate, b: Candidate): number {
  return b.similarity - a.similarity || a.identityId - b.identityId;
}

/**
 * The strategy `best_match`: each identity once, with the similarity of its closest reference, the
 * most similar first.
 *
 * @param query L2-normalized
 * @throws RangeError for references of another length than the query's
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
  // A calibration is monotone: the closest by cosine is the closest by similarity.
  return Array.from(closest, ([identityId, cosine]) => ({
    identityId,
    similarity: calibrateSimilarity(cosine, knots),
  })).sort(compareCandidates);
}

/**
 * The strategy `average`: each identity with the similarity of the mean of its references, the most
 * similar first.
 *
 * @param query L2-normalized
 * @param means one per identity
 * @throws RangeError for means of another length than the query's
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
