import type { FoundPoint } from '../references/gallery-store.ts';
import type { VectorPoint } from '../vectors/vector-index.ts';
import { cosineSimilarity } from './cosine-similarity.ts';

/** A point to compare, without the fingerprint that the index keeps of it. */
export type ComparedPoint = Omit<VectorPoint, 'fingerprint'>;

/**
 * The identities whose points are most similar to a vector, by an exact scan: at most `limit`, each
 * once with its closest point, descending by cosine, ties by identity id. Points without identity are skipped.
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
