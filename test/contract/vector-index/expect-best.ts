import { expect } from '@jest/globals';
import type { VectorPoint, VectorQuery } from '@sightline/core/vectors/vector-index';
import { dot } from './sample-vectors.ts';
import type { TriedIndex } from './tried-index.ts';

export async function expectBestPoints(
  { index, space, tolerance }: TriedIndex,
  points: readonly VectorPoint[],
  query: VectorQuery,
): Promise<void> {
  const answers = await index.searchPoints(space, query);
  for (const [n, hits] of answers.entries()) {
    const cosines = new Map(points.map(({ id, vector }) => [id, dot(vector, query.vectors[n]!)]));
    const best = [...cosines.values()].sort((a, b) => b - a).slice(0, query.limit);
    expectClose(
      hits.map(({ cosine }) => cosine),
      best,
      tolerance,
    );
    expectClose(
      hits.map(({ id }) => cosines.get(id)!),
      best,
      tolerance,
    );
    expect(new Set(hits.map(({ id }) => id)).size).toBe(hits.length);
    for (const { id, identityId } of hits) {
      expect(points.find((found) => found.id === id)?.identityId).toBe(identityId);
    }
  }
}

export async function expectBestIdentities(
  { index, space, tolerance }: TriedIndex,
  points: readonly VectorPoint[],
  query: VectorQuery,
): Promise<void> {
  const answers = await index.searchIdentities(space, query);
  const known = Map.groupBy(
    points.filter(({ identityId }) => identityId !== null),
    ({ identityId }) => identityId,
  );
  for (const [n, hits] of answers.entries()) {
    const cosineTo = ({ vector }: VectorPoint) => dot(vector, query.vectors[n]!);
    const best = [...known.values()]
      .map((own) => Math.max(...own.map(cosineTo)))
      .sort((a, b) => b - a)
      .slice(0, query.limit);
    expectClose(
      hits.map(({ cosine }) => cosine),
      best,
      tolerance,
    );
    expect(new Set(hits.map(({ identityId }) => identityId)).size).toBe(hits.length);
    for (const { identityId, pointId, cosine } of hits) {
      const hit = known.get(identityId)?.find(({ id }) => id === pointId);
      expect(Math.abs(cosineTo(hit!) - cosine)).toBeLessThanOrEqual(tolerance);
    }
  }
}

function expectClose(
  values: readonly number[],
  expected: readonly number[],
  tolerance: number,
): void {
  expect(values).toHaveLength(expected.length);
  for (const [n, value] of values.entries()) {
    expect(Math.abs(value - expected[n]!)).toBeLessThanOrEqual(tolerance);
  }
}
