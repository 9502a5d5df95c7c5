import type { VectorQuery, VectorSpace } from '@sightline/core/vectors/vector-index';

/** The maximum number of values of a vector in Qdrant. */
const MAX_DIMENSION = 65_536;

/** @throws RangeError if a vector's length is not the dimension of the space */
export function requireVectors({ dimension }: VectorSpace, vectors: Iterable<Float32Array>): void {
  if (!(Number.isSafeInteger(dimension) && dimension >= 1 && dimension <= MAX_DIMENSION)) {
    throw new RangeError(`Vectors of ${dimension} values cannot be indexed.`);
  }
  for (const { length } of vectors) {
    if (length === dimension) continue;
    throw new RangeError(`The vector has ${length} values instead of ${dimension}.`);
  }
}

/** @throws RangeError if a vector has another length than the space, or the limit is below 1 */
export function requireQuery(space: VectorSpace, { vectors, limit }: VectorQuery): void {
  requireLimit(limit);
  requireVectors(space, vectors);
}

/** @throws RangeError if the limit is below 1 */
export function requireLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw new RangeError(`The limit must be a positive integer, not ${limit}.`);
  }
}
