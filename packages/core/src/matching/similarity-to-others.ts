import type { ScoredFace } from '../groups/scored-face.ts';
import type { CalibrationKnots } from '../models/model.ts';
import { calibrateSimilarity } from './calibrate-similarity.ts';
import { cosineSimilarity } from './cosine-similarity.ts';
import { meanOf, removeFromSum } from './identity-mean.ts';

type FaceAmongReferences = Pick<ScoredFace, 'vector' | 'isReference' | 'references'>;

/**
 * Returns the calibrated similarity of a face to the mean of its identity's other references, -1 to 1; null without other
 * references, or if they cancel each other out.
 *
 * @throws RangeError if the lengths differ
 */
export function similarityToOthers(
  { vector, isReference, references }: FaceAmongReferences,
  knots: CalibrationKnots | null,
): number | null {
  const mean = isReference
    ? meanWithout(vector, references)
    : meanOf(references.sum, references.count);
  return mean && calibrateSimilarity(cosineSimilarity(vector, mean), knots);
}

function meanWithout(
  vector: Float32Array,
  { sum, count }: FaceAmongReferences['references'],
): Float32Array | null {
  const others = Float64Array.from(sum);
  removeFromSum(others, vector);
  return meanOf(others, count - 1);
}
