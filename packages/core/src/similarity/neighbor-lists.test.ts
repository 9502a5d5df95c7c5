import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { NEIGHBORS, type NeighborList } from '../groups/neighbor-list.ts';
import { NeighborLists } from './neighbor-lists.ts';

const near = (entries: readonly (readonly [id: number, cosine: number])[]) => ({
  ids: Float64Array.from(entries, ([id]) => id),
  cosines: Float64Array.from(entries, ([, cosine]) => cosine),
});

/** A complete list of neighbors with these ids, the first one the nearest. */
function listOf(...ids: readonly number[]): NeighborList {
  const cosines = ids.map((_, at) => 0.9 - at / 100);
  return { ids, cosines, fingerprint: 1, isComplete: true };
}

describe('lists of neighbors', () => {
  test('take in a face that arrives, in order, and drop the last of too many', () => {
    const lists = new NeighborLists();
    const full = Array.from({ length: NEIGHBORS }, (_, at) => at + 100);
    lists.set(1, listOf(...full));
    lists.set(2, listOf(5, 6));
    expect(lists.leastCosine(1)).toBe(-1);
    const changed = lists.arrive(
      { id: 50, arrivedAt: 1 },
      near([
        [1, 0.895],
        [2, 0.1],
        [9, 0.8],
      ]),
    );
    expect(changed).toEqual([1, 2]);
    expect(lists.of(1)!.ids).toEqual([100, 50, ...full.slice(1, -1)]);
    expect(lists.of(2)!.ids).toEqual([5, 6, 50]);
  });

  test('put equally near faces in the order of their ids', () => {
    const lists = new NeighborLists();
    lists.set(1, listOf(5));
    lists.arrive({ id: 4, arrivedAt: 1 }, near([[1, 0.9]]));
    lists.arrive({ id: 6, arrivedAt: 1 }, near([[1, 0.9]]));
    expect(lists.of(1)!.ids).toEqual([4, 5, 6]);
  });

  test('that were searched since a face arrived stay as they are', () => {
    const lists = new NeighborLists();
    const arrivedAt = lists.tick();
    lists.setSearched(1, listOf(5));
    expect(lists.leastCosine(arrivedAt)).toBeNull();
    expect(lists.arrive({ id: 7, arrivedAt }, near([[1, 0.95]]))).toEqual([]);
    expect(lists.arrive({ id: 7, arrivedAt: lists.tick() }, near([[1, 0.95]]))).toEqual([1]);
  });

  test('lose faces that depart, and are incomplete until they are searched again', async () => {
    const lists = new NeighborLists();
    for (const [id, list] of [
      [1, listOf(2, 3)],
      [2, listOf(1)],
      [3, listOf(1)],
    ] as const) {
      lists.set(id, list);
    }
    expect(await lists.depart(new Set([2]))).toEqual([1]);
    expect(lists.of(2)).toBeUndefined();
    expect(lists.of(1)).toMatchObject({ ids: [3], isComplete: false });
    expect([...lists.incomplete]).toEqual([1]);
    lists.setSearched(1, listOf(3));
    expect([...lists.incomplete]).toEqual([]);
  });

  test('are restored without faces that are no strangers', () => {
    const lists = new NeighborLists();
    const strangers = new Map([1, 2, 3].map((id) => [id, null]));
    lists.restore(1, listOf(2, 3, 4), strangers);
    lists.restore(2, listOf(3, 1), strangers);
    expect(lists.of(1)).toMatchObject({ ids: [2, 3], cosines: [0.9, 0.89], isComplete: false });
    expect(lists.of(2)).toEqual(listOf(3, 1));
    expect([...lists.incomplete]).toEqual([1]);
  });

  test('are the same in whatever order the faces come', () => {
    const cosines = fc.uniqueArray(fc.double({ min: -1, max: 1, noNaN: true }), {
      minLength: 1,
      maxLength: 60,
    });
    fc.assert(
      fc.property(cosines, fc.infiniteStream(fc.nat()), (values, order) => {
        const entries = values.map((cosine, at) => [at + 2, cosine] as const);
        const shuffled = entries
          .map((entry) => ({ entry, key: order.next().value as number }))
          .sort((a, b) => a.key - b.key);
        const lists = new NeighborLists();
        lists.set(1, { ids: [], cosines: [], fingerprint: 1, isComplete: true });
        for (const { entry } of shuffled) {
          lists.arrive({ id: entry[0], arrivedAt: 1 }, near([[1, entry[1]]]));
        }
        const expected = entries.toSorted((a, b) => b[1] - a[1] || a[0] - b[0]);
        expect(lists.of(1)!.ids).toEqual(expected.slice(0, NEIGHBORS).map(([id]) => id));
      }),
    );
  });
});
