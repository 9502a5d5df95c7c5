import { expect, test } from '@jest/globals';
import { expectBestIdentities, expectBestPoints } from './expect-best.ts';
import { at, axis, point, randomVectors } from './sample-vectors.ts';
import type { OpenTried } from './tried-index.ts';

export function describePoints(open: OpenTried): void {
  test('is ready', async () => {
    expect(await open().index.state()).toBe('ready');
  });

  test('finds nothing where nothing was written', async () => {
    const tried = open();
    const query = { vectors: [axis(0), axis(1)], limit: 5 };
    expect(await tried.index.searchPoints(tried.space, query)).toEqual([[], []]);
    expect(await tried.index.searchIdentities(tried.space, query)).toEqual([[], []]);
    expect(await tried.ids()).toEqual([]);
    await tried.remove(1);
  });

  test('finds points by cosine, the most similar first', async () => {
    const tried = open();
    const cosines = [0.2, 0.9, -0.5, 0.6, -1, 1];
    await tried.upsert(cosines.map((cosine, n) => point(n + 1, n % 2 ? n : null, at(cosine))));
    const hits = await tried.points(axis(0));
    expect(hits.map(({ id, identityId }) => [id, identityId])).toEqual([
      [6, 5],
      [2, 1],
      [4, 3],
      [1, null],
      [3, null],
      [5, null],
    ]);
    for (const { id, cosine } of hits) {
      expect(Math.abs(cosine - cosines[id - 1]!)).toBeLessThanOrEqual(tried.tolerance);
      expect(Math.abs(cosine)).toBeLessThanOrEqual(1);
    }
    expect((await tried.points(axis(0), 2)).map(({ id }) => id)).toEqual([6, 2]);
  });

  test('answers each vector of a query in its place', async () => {
    const tried = open();
    await tried.upsert([0, 1, 2].map((n) => point(n + 1, n + 11, axis(n))));
    const vectors = [axis(2), axis(0), axis(1), axis(0)];
    const points = await tried.index.searchPoints(tried.space, { vectors, limit: 1 });
    expect(points.map(([hit]) => hit?.id)).toEqual([3, 1, 2, 1]);
    const identities = await tried.index.searchIdentities(tried.space, { vectors, limit: 1 });
    expect(identities.map(([hit]) => hit?.identityId)).toEqual([13, 11, 12, 11]);
    expect(await tried.index.searchPoints(tried.space, { vectors: [], limit: 1 })).toEqual([]);
  });

  test('answers many vectors like each alone', async () => {
    const tried = open();
    const random = randomVectors(3);
    await tried.upsert(Array.from({ length: 50 }, (_, n) => point(n + 1, null, random())));
    const vectors = Array.from({ length: 400 }, random);
    const together = await tried.index.searchPoints(tried.space, { vectors, limit: 3 });
    for (const [n, vector] of vectors.entries()) {
      expect(together[n]).toEqual(await tried.points(vector, 3));
    }
  });

  test('orders equal points by id', async () => {
    const tried = open();
    await tried.upsert([9, 4, 7].map((id) => point(id, 100 - id, at(0.5))));
    expect((await tried.points(axis(0))).map(({ id }) => id)).toEqual([4, 7, 9]);
    const identities = (await tried.identities(axis(0))).map(({ identityId }) => identityId);
    expect(identities).toEqual([91, 93, 96]);
  });

  test('takes ids as large as numbers hold', async () => {
    const tried = open();
    const [id, identityId] = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1];
    await tried.upsert([point(id, identityId, axis(0)), point(1, null, at(0.5))]);
    expect(await tried.points(axis(0), 1)).toMatchObject([{ id, identityId }]);
    expect(await tried.identities(axis(0))).toMatchObject([{ pointId: id, identityId }]);
    expect(await tried.ids()).toEqual([1, id]);
  });

  test('agrees with a comparison of everything with everything', async () => {
    const tried = open();
    const random = randomVectors(1);
    const points = Array.from({ length: 600 }, (_, n) =>
      point(n + 1, n % 5 ? Math.floor(n / 7) + 1 : null, random()),
    );
    await tried.upsert(points);
    const vectors = Array.from({ length: 7 }, random);
    const query = { vectors, limit: 10 };
    await expectBestPoints(tried, points, query);
    await expectBestIdentities(tried, points, query);
  });
}

export function describeIdentities(open: OpenTried): void {
  test('finds each identity once, by its most similar point', async () => {
    const tried = open();
    await tried.upsert([
      point(1, 7, at(0.3)),
      point(2, 7, at(0.8)),
      point(3, 7, at(0.5)),
      point(4, 8, at(0.6)),
      point(5, 9, at(0.1)),
      point(6, 9, at(-0.4)),
    ]);
    const hits = await tried.identities(axis(0));
    expect(hits.map(({ identityId, pointId }) => [identityId, pointId])).toEqual([
      [7, 2],
      [8, 4],
      [9, 5],
    ]);
    expect(Math.abs(hits[0]!.cosine - 0.8)).toBeLessThanOrEqual(tried.tolerance);
  });

  test('passes over points without identity', async () => {
    const tried = open();
    const strangers = Array.from({ length: 200 }, (_, n) => point(n + 1, null, at(0.99)));
    await tried.upsert([...strangers, point(500, 3, at(0.2))]);
    expect(await tried.identities(axis(0), 2)).toMatchObject([{ identityId: 3, pointId: 500 }]);
  });

  test('finds others behind one identity with hundreds of points', async () => {
    const tried = open();
    const crowd = Array.from({ length: 500 }, (_, n) => point(n + 1, 1, at(0.95 + n / 20_000)));
    await tried.upsert([...crowd, point(1001, 2, at(0.5)), point(1002, 3, at(0.3))]);
    const hits = await tried.identities(axis(0), 3);
    expect(hits.map(({ identityId }) => identityId)).toEqual([1, 2, 3]);
    const two = await tried.identities(axis(0), 2);
    expect(two.map(({ identityId }) => identityId)).toEqual([1, 2]);
  });
}
