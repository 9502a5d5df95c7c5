import type { VectorPoint, VectorQuery, VectorSpace } from '@sightline/core/vectors/vector-index';
import type { PackedPoints } from './space-points.ts';
import { SEGMENT_BYTES } from './vector-memory.ts';
import type { PackedQuery } from './vector-protocol.ts';
import type { VectorThread } from './vector-thread.ts';

/** The length of a vector that fills a whole segment. */
const MAX_DIMENSION = SEGMENT_BYTES / Float32Array.BYTES_PER_ELEMENT;

export interface PointsOfSpace {
  readonly space: VectorSpace;
  readonly points: readonly VectorPoint[];
}

/**
 * Copies the points and sends them to the worker thread.
 *
 * @throws RangeError if a vector's length is not the dimension of the space; errors of {@link VectorThread.call}
 */
export async function sendPoints(
  thread: VectorThread,
  { space, points }: PointsOfSpace,
  signal?: AbortSignal,
): Promise<void> {
  const packed = packPoints(space, points);
  const { ids, identityIds, fingerprints, vectors } = packed;
  const transfer = [ids, identityIds, fingerprints, vectors].map(({ buffer }) => buffer);
  await thread.call({ do: 'upsert', space, points: packed }, { transfer, signal });
}

/** @throws RangeError if a vector has another length than the space, or the limit is below 1 */
export function packQuery(space: VectorSpace, { vectors, limit }: VectorQuery): PackedQuery {
  requireLimit(limit);
  return { space, vectors: packVectors(space, vectors), limit };
}

/** @throws RangeError if the limit is below 1 */
export function requireLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw new RangeError(`The limit must be a positive integer, not ${limit}.`);
  }
}

/** @throws RangeError if a vector has another length than the space */
function packPoints(space: VectorSpace, points: readonly VectorPoint[]): PackedPoints {
  return {
    ids: Float64Array.from(points, ({ id }) => id),
    identityIds: Float64Array.from(points, ({ identityId }) => identityId ?? NaN),
    fingerprints: Float64Array.from(points, ({ fingerprint }) => fingerprint),
    vectors: packVectors(
      space,
      points.map(({ vector }) => vector),
    ),
  };
}

function packVectors(
  { dimension }: VectorSpace,
  vectors: readonly Float32Array[],
): Float32Array<ArrayBuffer> {
  if (!(dimension >= 1 && dimension <= MAX_DIMENSION)) {
    throw new RangeError(`Vectors of ${dimension} values cannot be indexed.`);
  }
  const packed = new Float32Array(vectors.length * dimension);
  for (const [index, vector] of vectors.entries()) {
    if (vector.length !== dimension) {
      throw new RangeError(`The vector has ${vector.length} values instead of ${dimension}.`);
    }
    packed.set(vector, index * dimension);
  }
  return packed;
}
