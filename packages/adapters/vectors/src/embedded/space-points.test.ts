import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { SpacePoints } from './space-points.ts';
import { VectorMemory } from './vector-memory.ts';

/** The cosine of this vector with the test vectors is exact, so ties are exact too. */
const QUERY = Float32Array.of(1, 0);
const DIMENSION = 2;

interface Point {
  readonly id: number;
  readonly identityId: number | null;
  readonly fingerprint: number;
  readonly cosine: number;
}

function upsert(space: SpacePoints, points: readonly Point[]): void {
  space.upsert({
    ids: Float64Array.from(points, ({ id }) => id),
    identityIds: Float64Array.from(points, ({ identityId }) => identityId ?? NaN),
    fingerprints: Float64Array.from(points, ({ fingerprint }) => fingerprint),
    vectors: Float32Array.from(points.flatMap(({ cosine }) => [cosine, 0])),
  });
}

const byCosineThen = (key: 'id' | 'identityId') => (a: Point, b: Point) =>
  b.cosine - a.cosine || a[key]! - b[key]! || a.id - b.id;

function bestPoints(points: readonly Point[], limit: number) {
  const best = points.toSorted(byCosineThen('id')).slice(0, limit);
  return best.map(({ id, identityId, cosine }) => ({ id, identityId, cosine }));
}

function bestIdentities(points: readonly Point[], limit: number) {
  const known = points.filter(({ identityId }) => identityId !== null);
  const ranked = known.toSorted(byCosineThen('identityId'));
  const best = new Map(ranked.toReversed().map((point) => [point.identityId, point]));
  return [...best.values()]
    .toSorted(byCosineThen('identityId'))
    .slice(0, limit)
    .map(({ id, identityId, cosine }) => ({ identityId, pointId: id, cosine }));
}

const ids = fc.integer({ min: 1, max: 30 });
const points = fc.record({
  id: ids,
  identityId: fc.option(fc.integer({ min: 1, max: 6 })),
  fingerprint: fc.constantFrom(0, 1, Number.MAX_SAFE_INTEGER),
  cosine: fc.integer({ min: -4, max: 4 }).map((quarters) => quarters / 4),
});
const steps = fc.oneof(
  fc.record({ upsert: fc.array(points, { maxLength: 20 }) }),
  fc.record({ remove: fc.array(ids, { maxLength: 10 }) }),
);

const A_POINT = { id: 1, identityId: 1, fingerprint: 1 };

describe('the points of a space', () => {
  test('equal those of a plain list after any upserts and removals', () => {
    const check = (
      history: readonly ({ upsert: Point[] } | { remove: number[] })[],
      limit: number,
    ) => {
      const space = new SpacePoints(new VectorMemory(), DIMENSION);
      const plain = new Map<number, Point>();
      for (const step of history) {
        if ('upsert' in step) {
          upsert(space, step.upsert);
          for (const point of step.upsert) plain.set(point.id, point);
        } else {
          space.remove(Float64Array.from(step.remove));
          for (const id of step.remove) plain.delete(id);
        }
        const left = [...plain.values()];
        expect(space.size).toBe(left.length);
        expect(space.searchPoints(QUERY, limit)).toEqual([bestPoints(left, limit)]);
        expect(space.searchIdentities(QUERY, limit)).toEqual([bestIdentities(left, limit)]);
        const listed = left.toSorted((a, b) => a.id - b.id).filter(({ id }) => id > limit);
        expect(space.list(limit, 7)).toEqual(
          listed
            .slice(0, 7)
            .map(({ id, identityId, fingerprint }) => ({ id, identityId, fingerprint })),
        );
      }
    };
    const histories = fc.array(steps, { maxLength: 8 });
    fc.assert(fc.property(histories, fc.integer({ min: 1, max: 12 }), check));
  });

  test('are skipped if their vector is not a number', () => {
    const space = new SpacePoints(new VectorMemory(), DIMENSION);
    upsert(space, [
      { ...A_POINT, cosine: NaN },
      { ...A_POINT, id: 2, cosine: 0.5 },
    ]);
    expect(space.searchPoints(QUERY, 5)).toMatchObject([[{ id: 2 }]]);
    expect(space.searchIdentities(QUERY, 5)).toMatchObject([[{ pointId: 2 }]]);
  });

  test('have cosines of at most one', () => {
    const space = new SpacePoints(new VectorMemory(), DIMENSION);
    upsert(space, [{ ...A_POINT, cosine: 1.0000001 }]);
    expect(space.searchPoints(QUERY, 1)).toMatchObject([[{ cosine: 1 }]]);
    expect(space.searchIdentities(QUERY, 1)).toMatchObject([[{ cosine: 1 }]]);
  });
});
