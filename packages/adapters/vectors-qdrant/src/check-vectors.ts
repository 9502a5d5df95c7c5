import type { VectorQuery, VectorSpace } from '@sightline/core/vectors/vector-index';

/** What the server takes. */
const LONGEST_DIMENSION = 65_536;

/** @throws RangeError for a vector that is not as long as those of its space */
export function requireVectors({ dimension }: VectorSpace, vectors: Iterable<Float32Array>): void {
  if (!(Number.isSafeInteger(dimension) && dimension >= 1 && dimension <= LONGEST_DIMENSION)) {
    throw new RangeError(`Vectors of ${dimension} values cannot be indexed.`);
  }
  for (const { length } of vectors) {
    if (length === dimension) continue;
    throw new RangeError(`A vector of ${length} values is none of ${dimension}.`);
  }
}

/** @throws RangeError for a vector of another length, or a limit below 1 */
export function requireQuery(space: VectorSpace, { vectors, limit }: VectorQuery): void {
  requireLimit(limit);
  requireVectors(space, vectors);
}

/** @throws RangeError for a limit below 1 */
export function requireLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw new RangeError(`${limit} is not a limit: it is a whole number from 1 on.`);
  }
}
