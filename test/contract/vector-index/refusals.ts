import { describe, expect, test } from '@jest/globals';
import { axis, point, randomVectors } from './sample-vectors.ts';
import type { OpenTried, TriedIndex } from './tried-index.ts';

const rangeError = expect.objectContaining({ name: 'RangeError' });
const query = { vectors: [axis(0)], limit: 1 };

export function describeRefusals(open: OpenTried): void {
  test('refuses vectors of another length, and then changes nothing', async () => {
    const { index, space, ids } = bound(open());
    const short = axis(0).subarray(1);
    const points = [point(1, null, axis(0)), point(2, null, short)];
    await expect(index.upsert(space, points)).rejects.toEqual(rangeError);
    expect(await ids()).toEqual([]);
    const both = { vectors: [axis(0), short], limit: 1 };
    await expect(index.searchPoints(space, both)).rejects.toEqual(rangeError);
    await expect(index.searchIdentities(space, both)).rejects.toEqual(rangeError);
    const draft = await index.begin();
    await expect(draft.upsert(space, points)).rejects.toEqual(rangeError);
    await draft.discard();
  });

  test.each([0, -1, 1.5, NaN])('refuses the limit %d', async (limit) => {
    const { index, space } = open();
    const wrong = { vectors: [axis(0)], limit };
    await expect(index.searchPoints(space, wrong)).rejects.toEqual(rangeError);
    await expect(index.searchIdentities(space, wrong)).rejects.toEqual(rangeError);
    await expect(index.list(space, { after: 0, limit })).rejects.toEqual(rangeError);
  });

  test.each([0, 1.5, NaN])('refuses vectors of %d values', async (dimension) => {
    const { index, space } = open();
    const none = { vectors: [new Float32Array()], limit: 1 };
    const searched = index.searchPoints({ ...space, dimension }, none);
    await expect(searched).rejects.toEqual(rangeError);
  });

  describe('an abort', () => {
    const reason = new Error('the caller left');
    const aborted = AbortSignal.abort(reason);

    test('before the call is the answer, and nothing is done', async () => {
      const { index, space, ids } = bound(open());
      const points = [point(1, 2, axis(0))];
      await expect(index.upsert(space, points, aborted)).rejects.toBe(reason);
      expect(await ids()).toEqual([]);
      await index.upsert(space, points);
      await expect(index.remove(space, [1], aborted)).rejects.toBe(reason);
      await expect(index.searchPoints(space, query, aborted)).rejects.toBe(reason);
      await expect(index.searchIdentities(space, query, aborted)).rejects.toBe(reason);
      await expect(index.list(space, { after: 0, limit: 1 }, aborted)).rejects.toBe(reason);
      await expect(index.dropEnvironment(space.environmentId, aborted)).rejects.toBe(reason);
      await expect(index.begin(aborted)).rejects.toBe(reason);
      expect(await ids()).toEqual([1]);
    });

    test('before a call to a draft is the answer, and nothing is done', async () => {
      const { index, space, ids } = bound(open());
      await index.upsert(space, [point(1, 2, axis(0))]);
      const draft = await index.begin();
      await draft.upsert(space, [point(2, 2, axis(0))]);
      await expect(draft.upsert(space, [point(3, 2, axis(0))], aborted)).rejects.toBe(reason);
      await expect(draft.remove(space, [2], aborted)).rejects.toBe(reason);
      await expect(draft.publish(aborted)).rejects.toBe(reason);
      expect(await ids()).toEqual([1]);
      await draft.publish();
      expect(await ids()).toEqual([2]);
    });

    test('never makes the state throw', async () => {
      expect(['ready', 'unavailable']).toContain(await open().index.state(aborted));
    });

    test('of some of many searches leaves the others', async () => {
      const tried = open();
      const random = randomVectors(5);
      const points = Array.from({ length: 2000 }, (_, n) => point(n + 1, n + 1, random()));
      await tried.upsert(points);
      const controller = new AbortController();
      const searches = Array.from({ length: 20 }, (_, n) =>
        tried.index.searchPoints(tried.space, query, n % 2 ? controller.signal : undefined),
      );
      const outcomes = Promise.allSettled(searches);
      controller.abort(reason);
      for (const [n, outcome] of (await outcomes).entries()) {
        if (n % 2) expect(outcome).toEqual({ status: 'rejected', reason });
        else {
          const value = [[{ id: expect.any(Number) }]];
          expect(outcome).toMatchObject({ status: 'fulfilled', value });
        }
      }
      expect(await tried.points(axis(0), 1)).toHaveLength(1);
    });
  });
}

function bound(tried: TriedIndex) {
  return { index: tried.index, space: tried.space, ids: () => tried.ids() };
}
