import { expect, test } from '@jest/globals';
import { compareIndex } from './compare-index.ts';
import type { VectorEntry, VectorSpace } from './vector-index.ts';

const SPACES: readonly VectorSpace[] = (['faces', 'means'] as const).map((kind) => ({
  environmentId: 1,
  modelId: 2,
  dimension: 4,
  kind,
}));

interface Page {
  readonly after: number;
  readonly limit: number;
}

/** A source with rows in both spaces, and an index without points. */
function emptyIndex(count: number) {
  const rows = Array.from({ length: count }, (_, n) => ({
    id: n + 1,
    identityId: null,
    fingerprint: n,
  }));
  const indexed = new Map(SPACES.map(({ kind }) => [kind, new Map<number, VectorEntry>()]));
  const tail: { readonly space: VectorSpace; readonly id: number }[] = [];
  const longest: number[] = [];
  const pageOf = (entries: readonly VectorEntry[], { after, limit }: Page) =>
    Promise.resolve(entries.filter(({ id }) => id > after).slice(0, limit));
  return {
    deps: {
      source: {
        possibleSpaces: () => Promise.resolve(SPACES),
        list: (_: VectorSpace, page: Page) => pageOf(rows, page),
      },
      index: {
        list: ({ kind }: VectorSpace, page: Page) =>
          pageOf(
            [...indexed.get(kind)!.values()].toSorted((a, b) => a.id - b.id),
            page,
          ),
      },
      changeLog: {
        note: (space: VectorSpace, ids: readonly number[]) => {
          tail.push(...ids.map((id) => ({ space, id })));
          longest.push(tail.length);
          return Promise.resolve();
        },
      },
    },
    settle: () => {
      for (const { space, id } of tail.splice(0)) indexed.get(space.kind)!.set(id, rows[id - 1]!);
      return Promise.resolve();
    },
    longestTail: () => Math.max(...longest),
  };
}

test('differences are counted over all spaces, and recorded as changes', async () => {
  const { deps, settle } = emptyIndex(3);
  expect(await compareIndex(deps, settle)).toEqual({ missing: 6, extra: 0, stale: 0 });
  await settle();
  expect(await compareIndex(deps, settle)).toEqual({ missing: 0, extra: 0, stale: 0 });
});

test('an index without points is repaired without many pending changes', async () => {
  const { deps, settle, longestTail } = emptyIndex(7300);
  expect(await compareIndex(deps, settle)).toEqual({ missing: 14_600, extra: 0, stale: 0 });
  expect(longestTail()).toBe(1000);
  await settle();
  expect(await compareIndex(deps, settle)).toEqual({ missing: 0, extra: 0, stale: 0 });
});
