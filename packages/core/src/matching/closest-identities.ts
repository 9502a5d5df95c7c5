import type { FoundPoint } from '../references/gallery-store.ts';
import type { VectorPoint } from '../vectors/vector-index.ts';
import { cosineSimilarity } from './cosine-similarity.ts';

export type ComparedPoint = Omit<VectorPoint, 'fingerprint'>;

/**
 * Finds at most `limit` identities whose points are most similar to a vector, by comparing all points. Each identity is
 * returned once, with its closest point, descending by cosine, then ascending by id. Points without an identity are
 * ignored.
 *
 * @param query L2-normalized
 */
export function closestIdentities(
  query: Float32Array,
  points: readonly ComparedPoint[],
  limit: number,
): readonly FoundPoint[] {
  const closest = new Map<number, { readonly pointId: number; readonly cosine: number }>();
  for (const { id, identityId, vector } of points) {
    if (identityId === null) continue;
    const cosine = cosineSimilarity(query, vector);
    if (cosine > (closest.get(identityId)?.cosine ?? -Infinity)) {
      closest.set(identityId, { pointId: id, cosine });
    }
  }
  return [...closest]
    .sort(([idA, a], [idB, b]) => b.cosine - a.cosine || idA - idB)
    .slice(0, limit)
    .map(([identityId, { pointId }]) => ({ identityId, pointId }));
}
