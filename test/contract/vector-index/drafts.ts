import { expect, test } from '@jest/globals';
import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import { at, axis, point, someSpace } from './sample-vectors.ts';
import type { OpenTried } from './tried-index.ts';

const unavailable = expect.objectContaining({ code: 'vectors_unavailable' });

/** Tests of an unfilled index; `open` returns a new one for every test. */
export function describeIncomplete(open: () => VectorIndex): void {
  test('is incomplete, and says so to readers and writers of points', async () => {
    const index = open();
    const space = someSpace();
    const query = { vectors: [axis(0)], limit: 1 };
    expect(await index.state()).toBe('incomplete');
    await expect(index.searchPoints(space, query)).rejects.toEqual(unavailable);
    await expect(index.searchIdentities(space, query)).rejects.toEqual(unavailable);
    await expect(index.list(space, { after: 0, limit: 1 })).rejects.toEqual(unavailable);
    await expect(index.upsert(space, [point(1, 1, axis(0))])).rejects.toEqual(unavailable);
    await expect(index.remove(space, [1])).rejects.toEqual(unavailable);
    await index.dropEnvironment(space.environmentId);
    expect(await index.state()).toBe('incomplete');
  });

  test('is ready when a draft is published, be it empty', async () => {
    const index = open();
    const space = someSpace();
    const draft = await index.begin();
    await draft.upsert(space, [point(1, 7, axis(0))]);
    expect(await index.state()).toBe('incomplete');
    await draft.discard();
    expect(await index.state()).toBe('incomplete');
    await (await index.begin()).publish();
    expect(await index.state()).toBe('ready');
    expect(await index.list(space, { after: 0, limit: 1 })).toEqual([]);
  });
}

/** Tests of a rebuild, which replaces all points of the index. */
export function describeDrafts(open: OpenTried): void {
  test('a draft is not seen until it is published, and then alone', async () => {
    const tried = open();
    const other = someSpace();
    await tried.upsert([point(1, 7, axis(0))]);
    await tried.upsert([point(1, 7, axis(0))], other);
    const draft = await tried.index.begin();
    const points = [point(2, 8, axis(0)), point(3, 8, axis(1)), point(4, null, at(0.5))];
    await draft.upsert(tried.space, points);
    await draft.upsert(tried.space, [point(3, 9, at(0.9))]);
    await draft.remove(tried.space, [4, 5]);
    expect(await tried.points(axis(0))).toMatchObject([{ id: 1, identityId: 7 }]);
    expect(await tried.ids()).toEqual([1]);
    await draft.publish();
    expect(await tried.identities(axis(0))).toMatchObject([
      { identityId: 8, pointId: 2 },
      { identityId: 9, pointId: 3 },
    ]);
    expect(await tried.ids()).toEqual([2, 3]);
    expect(await tried.points(axis(0), 1, other)).toEqual([]);
    expect(await tried.index.state()).toBe('ready');
  });

  test('what is published is written to like what was there before', async () => {
    const tried = open();
    const draft = await tried.index.begin();
    await draft.upsert(tried.space, [point(1, 7, axis(0))]);
    await draft.publish();
    const news = { ...tried.space, kind: 'means' } as const;
    await tried.upsert([point(2, 8, axis(1))]);
    await tried.upsert([point(3, 9, axis(2))], news);
    await tried.remove(1);
    expect(await tried.ids()).toEqual([2]);
    expect(await tried.points(axis(2), 1, news)).toMatchObject([{ id: 3 }]);
    expect(await tried.index.state()).toBe('ready');
  });

  test('what is written while a draft is filled counts until the draft takes its place', async () => {
    const tried = open();
    const draft = await tried.index.begin();
    await tried.upsert([point(1, 7, axis(0))]);
    expect(await tried.ids()).toEqual([1]);
    await draft.upsert(tried.space, [point(2, 7, axis(0))]);
    await draft.publish();
    expect(await tried.ids()).toEqual([2]);
  });

  test('a draft that is discarded leaves nothing', async () => {
    const tried = open();
    await tried.upsert([point(1, 7, axis(0))]);
    const draft = await tried.index.begin();
    await draft.upsert(tried.space, [point(2, 8, axis(0))]);
    await draft.discard();
    await draft.discard();
    await expect(draft.upsert(tried.space, [point(3, 8, axis(0))])).rejects.toEqual(unavailable);
    await expect(draft.remove(tried.space, [2])).rejects.toEqual(unavailable);
    await expect(draft.publish()).rejects.toEqual(unavailable);
    expect(await tried.ids()).toEqual([1]);
  });

  test('a draft that is published cannot be discarded, nor published again', async () => {
    const tried = open();
    const draft = await tried.index.begin();
    await draft.upsert(tried.space, [point(1, 7, axis(0))]);
    await draft.publish();
    await draft.discard();
    await expect(draft.publish()).rejects.toEqual(unavailable);
    expect(await tried.ids()).toEqual([1]);
  });

  test('another draft discards the earlier one', async () => {
    const tried = open();
    await tried.upsert([point(1, 7, axis(0))]);
    const earlier = await tried.index.begin();
    await earlier.upsert(tried.space, [point(2, 7, axis(0))]);
    const later = await tried.index.begin();
    const other = { ...tried.space, kind: 'faces' } as const;
    await expect(earlier.upsert(tried.space, [point(3, 7, axis(0))])).rejects.toEqual(unavailable);
    await expect(earlier.upsert(other, [point(3, 7, axis(0))])).rejects.toEqual(unavailable);
    await expect(earlier.publish()).rejects.toEqual(unavailable);
    await earlier.discard();
    expect(await tried.ids()).toEqual([1]);
    await later.upsert(tried.space, [point(4, 7, axis(0))]);
    await later.publish();
    expect(await tried.ids()).toEqual([4]);
  });

  test('an environment is forgotten in the draft too', async () => {
    const tried = open();
    const foreign = someSpace();
    const draft = await tried.index.begin();
    await draft.upsert(tried.space, [point(1, 7, axis(0))]);
    await draft.upsert(foreign, [point(1, 7, axis(0))]);
    await tried.dropEnvironment();
    await draft.publish();
    expect(await tried.ids()).toEqual([]);
    expect(await tried.points(axis(0), 1, foreign)).toHaveLength(1);
  });

  test('searches that run meanwhile see either the one or the other', async () => {
    const tried = open();
    await tried.upsert([point(1, 7, axis(0)), point(2, 7, at(0.5))]);
    const draft = await tried.index.begin();
    await draft.upsert(tried.space, [point(3, 7, axis(0)), point(4, 7, at(0.5))]);
    const searches = Array.from({ length: 30 }, () => tried.points(axis(0)));
    const published = draft.publish();
    for (const hits of await Promise.all(searches)) {
      expect(['1,2', '3,4']).toContain(hits.map(({ id }) => id).join());
    }
    await published;
    expect(await tried.points(axis(0))).toMatchObject([{ id: 3 }, { id: 4 }]);
  });
}
