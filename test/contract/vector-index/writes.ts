import { expect, test } from '@jest/globals';
import type { IndexedEntry, VectorPoint, VectorSpace } from '@sightline/core/vectors/vector-index';
import { expectBestIdentities, expectBestPoints } from './expect-best.ts';
import { at, axis, DIMENSION, point, randomVectors, someSpace } from './sample-vectors.ts';
import type { OpenTried } from './tried-index.ts';

export function describeWrites(open: OpenTried): void {
  test('replaces a point, with its vector and its identity', async () => {
    const tried = open();
    await tried.upsert([point(1, 5, at(0.9)), point(2, 6, at(0.5))]);
    await tried.upsert([point(1, 6, at(0.2))]);
    expect(await tried.identities(axis(0))).toMatchObject([{ identityId: 6, pointId: 2 }]);
    await tried.upsert([point(2, null, at(0.5))]);
    expect(await tried.identities(axis(0))).toMatchObject([{ identityId: 6, pointId: 1 }]);
    expect(await tried.points(axis(0))).toMatchObject([
      { id: 2, identityId: null },
      { id: 1, identityId: 6 },
    ]);
  });

  test('takes the last of two points with one id', async () => {
    const tried = open();
    await tried.upsert([point(1, 5, at(0.9)), point(1, 6, at(0.2))]);
    expect(await tried.points(axis(0))).toMatchObject([{ id: 1, identityId: 6 }]);
  });

  test('removes points, also such as are not there', async () => {
    const tried = open();
    const random = randomVectors(2);
    const points = Array.from({ length: 300 }, (_, n) => point(n + 1, (n % 40) + 1, random()));
    await tried.upsert(points);
    const gone = points.map(({ id }) => id).filter((id) => id % 3 !== 0);
    await tried.remove(...gone, 5000);
    const left = points.filter(({ id }) => id % 3 === 0);
    expect(await tried.ids()).toEqual(left.map(({ id }) => id));
    const query = { vectors: [random(), random()], limit: 20 };
    await expectBestPoints(tried, left, query);
    await expectBestIdentities(tried, left, query);
    await tried.remove(...left.map(({ id }) => id));
    expect(await tried.points(axis(0))).toEqual([]);
    await tried.upsert(points.slice(0, 1));
    expect(await tried.ids()).toEqual([1]);
  });

  test('takes thousands at once, and leaves their vectors to the caller', async () => {
    const tried = open();
    const random = randomVectors(4);
    const all = new Float32Array(5000 * DIMENSION);
    const points = Array.from({ length: 5000 }, (_, n) => {
      const vector = all.subarray(n * DIMENSION, (n + 1) * DIMENSION);
      vector.set(random());
      return point(n + 1, n + 1, vector);
    });
    await tried.upsert(points);
    expect(all.length).toBe(5000 * DIMENSION);
    for (const n of [0, 2500, 4999]) {
      expect(await tried.points(points[n]!.vector, 1)).toMatchObject([{ id: n + 1 }]);
    }
  });

  test('takes nothing at all', async () => {
    const tried = open();
    await tried.upsert([]);
    await tried.remove();
    expect(await tried.ids()).toEqual([]);
  });
}

export function describeLists(open: OpenTried): void {
  test('lists by id, page after page', async () => {
    const tried = open();
    const ids = Array.from({ length: 25 }, (_, n) => ((n * 7) % 25) * 3 + 1);
    await tried.upsert(ids.map((id) => point(id, id % 2 ? id * 10 : null, at(0.5))));
    const seen: IndexedEntry[] = [];
    for (let after = 0, full = true; full;) {
      const page = await tried.index.list(tried.space, { after, limit: 10 });
      seen.push(...page);
      after = page.at(-1)?.id ?? after;
      full = page.length === 10;
    }
    const ascending = ids.toSorted((a, b) => a - b);
    expect(seen).toEqual(
      ascending.map((id) => {
        const { identityId, fingerprint } = point(id, id % 2 ? id * 10 : null, at(0.5));
        return { id, identityId, fingerprint };
      }),
    );
  });

  test('lists what is there now', async () => {
    const tried = open();
    await tried.upsert([3, 1, 2].map((id) => point(id, null, axis(0))));
    expect(await tried.ids()).toEqual([1, 2, 3]);
    await tried.remove(2);
    await tried.upsert([point(10, 4, axis(0)), point(1, 9, axis(0))]);
    expect(await tried.index.list(tried.space, { after: 0, limit: 10 })).toEqual([
      { id: 1, identityId: 9, fingerprint: 10 },
      { id: 3, identityId: null, fingerprint: 30 },
      { id: 10, identityId: 4, fingerprint: 100 },
    ]);
    expect(await tried.index.list(tried.space, { after: 10, limit: 10 })).toEqual([]);
  });
}

export function describeFingerprints(open: OpenTried): void {
  const numbered = (fingerprint: number, id = 1): VectorPoint => ({
    ...point(id, 7, axis(0)),
    fingerprint,
  });

  test('a point keeps the fingerprint that it was written with last', async () => {
    const tried = open();
    const fingerprints = async () => {
      const entries = await tried.index.list(tried.space, { after: 0, limit: 10 });
      return entries.map(({ fingerprint }) => fingerprint);
    };
    await tried.upsert([numbered(0), numbered(2 ** 32 - 1, 2), numbered(2 ** 53 - 1, 3)]);
    expect(await fingerprints()).toEqual([0, 2 ** 32 - 1, 2 ** 53 - 1]);
    // This point has the same vector and identity as before; only its fingerprint differs.
    await tried.upsert([numbered(5, 2)]);
    expect(await fingerprints()).toEqual([0, 5, 2 ** 53 - 1]);
    await tried.upsert([numbered(8, 3), numbered(9, 3)]);
    await tried.remove(1);
    expect(await fingerprints()).toEqual([5, 9]);
    await tried.upsert([numbered(4)]);
    expect(await fingerprints()).toEqual([4, 5, 9]);
  });

  test('a draft brings the fingerprints of its points', async () => {
    const tried = open();
    await tried.upsert([numbered(1)]);
    const draft = await tried.index.begin();
    await draft.upsert(tried.space, [numbered(2), numbered(3, 2)]);
    await draft.upsert(tried.space, [numbered(4, 2)]);
    await draft.publish();
    expect(await tried.index.list(tried.space, { after: 0, limit: 10 })).toEqual([
      { id: 1, identityId: 7, fingerprint: 2 },
      { id: 2, identityId: 7, fingerprint: 4 },
    ]);
  });
}

export function describeIsolation(open: OpenTried): void {
  const others: readonly (readonly [string, (space: VectorSpace) => VectorSpace])[] = [
    ['environment', (space) => ({ ...space, environmentId: someSpace().environmentId })],
    ['model', (space) => ({ ...space, modelId: space.modelId + 1 })],
    ['kind', (space) => ({ ...space, kind: 'means' })],
  ];

  test.each(others)('keeps points of another %s apart', async (_, turn) => {
    const tried = open();
    const other = turn(tried.space);
    await tried.upsert([point(1, 7, axis(0))]);
    await tried.upsert([point(1, 8, at(0.5)), point(2, 9, axis(0))], other);
    expect(await tried.points(axis(0))).toMatchObject([{ id: 1, identityId: 7 }]);
    expect(await tried.identities(axis(0))).toMatchObject([{ identityId: 7 }]);
    expect(await tried.points(axis(0), 5, other)).toMatchObject([{ id: 2 }, { id: 1 }]);
    await tried.remove(1, 2);
    expect(await tried.identities(axis(0), 5, other)).toHaveLength(2);
    expect(await tried.ids()).toEqual([]);
  });

  test('forgets an environment with all of its spaces, and no other', async () => {
    const tried = open();
    const { space } = tried;
    const same = others.slice(1).map(([, turn]) => turn(space));
    const foreign = someSpace();
    for (const one of [space, ...same, foreign]) await tried.upsert([point(1, 7, axis(0))], one);
    await tried.dropEnvironment();
    for (const one of [space, ...same]) expect(await tried.points(axis(0), 5, one)).toEqual([]);
    expect(await tried.points(axis(0), 5, foreign)).toHaveLength(1);
    await tried.upsert([point(2, 7, axis(0))]);
    expect(await tried.ids()).toEqual([2]);
    await tried.dropEnvironment();
    await tried.dropEnvironment();
  });
}
