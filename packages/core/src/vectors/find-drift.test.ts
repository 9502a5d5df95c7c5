import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { findDrift } from './find-drift.ts';
import type { DriftKind } from './index-drift.ts';
import type { VectorSpace } from './vector-index.ts';

const SPACE: VectorSpace = { environmentId: 1, modelId: 2, kind: 'faces', dimension: 4 };

type Entries<Fingerprint = number> = ReadonlyMap<
  number,
  { readonly identityId: number | null; readonly fingerprint: Fingerprint }
>;
type Points = Entries<number | null>;

function lister<Fingerprint>(entries: Entries<Fingerprint>) {
  return {
    list: (_: VectorSpace, { after, limit }: { readonly after: number; readonly limit: number }) =>
      Promise.resolve(
        [...entries]
          .filter(([id]) => id > after)
          .sort(([a], [b]) => a - b)
          .slice(0, limit)
          .map(([id, entry]) => ({ id, ...entry })),
      ),
  };
}

function drift(rows: Entries, points: Points, settle: () => unknown = () => undefined) {
  const deps = { source: lister(rows), index: lister(points) };
  return findDrift(deps, { space: SPACE, settle: () => Promise.resolve(void settle()) });
}

/** Computes the drift without pages. */
function expected(rows: Entries, points: Points): ReadonlyMap<number, DriftKind> {
  const found = new Map<number, DriftKind>();
  for (const [id, row] of rows) {
    if (!points.has(id)) found.set(id, 'missing');
    else if (JSON.stringify(points.get(id)) !== JSON.stringify(row)) found.set(id, 'stale');
  }
  for (const id of points.keys()) if (!rows.has(id)) found.set(id, 'extra');
  return found;
}

function numbered(from: number, to: number) {
  const ids = Array.from({ length: to - from + 1 }, (_, i) => from + i);
  return new Map(ids.map((id) => [id, entryOf(id)]));
}

function entryOf(id: number) {
  return { identityId: id % 3 === 0 ? null : id % 5, fingerprint: id % 7 };
}

describe('findDrift', () => {
  test.each<[string, Entries, Points]>([
    ['an index without points', numbered(1, 2500), new Map()],
    ['a database without rows', new Map(), numbered(1, 2500)],
    ['an index that stopped in the middle', numbered(1, 3000), numbered(1, 1000)],
    ['ids without overlap', numbered(1, 1500), numbered(5000, 6500)],
    ['more points than rows between two rows', numbered(1, 1), numbered(1, 2001)],
  ])('%s', async (_, rows, points) => {
    expect(await drift(rows, points)).toEqual(expected(rows, points));
  });

  test('finds all differences of random sets across pages', async () => {
    const entries = fc.uniqueArray(
      fc.tuple(
        fc.integer({ min: 1, max: 9000 }),
        fc.record({ identityId: fc.constantFrom(null, 1, 2), fingerprint: fc.constantFrom(0, 1) }),
      ),
      { selector: ([id]) => id, maxLength: 3000, size: 'max' },
    );
    await fc.assert(
      fc.asyncProperty(entries, entries, async (rows, points) => {
        const [inDatabase, inIndex] = [new Map(rows), new Map(points)];
        expect(await drift(inDatabase, inIndex)).toEqual(expected(inDatabase, inIndex));
      }),
      { numRuns: 20 },
    );
  });

  test('a point with an old vector or without a fingerprint is stale', async () => {
    const rows = numbered(1, 1200);
    const points: Map<number, { identityId: number | null; fingerprint: number | null }> = numbered(
      1,
      1200,
    );
    points.set(3, { ...entryOf(3), fingerprint: 4 });
    points.set(7, { ...entryOf(7), fingerprint: null });
    points.set(1150, { ...entryOf(1150), fingerprint: 0.5 });
    const stale = new Map([3, 7, 1150].map((id) => [id, 'stale']));
    expect(await drift(rows, points)).toEqual(stale);
  });

  test('a difference that disappears between the comparisons is no drift', async () => {
    const [rows, points] = [numbered(1, 1200), numbered(1, 1200)];
    points.delete(1100);
    points.set(7, { ...entryOf(7), identityId: 99 });
    points.set(8, { ...entryOf(8), fingerprint: 99 });
    points.set(9, { ...entryOf(9), fingerprint: 99 });
    rows.delete(50);
    const settle = () => points.set(1100, rows.get(1100)!).set(9, rows.get(9)!);
    expect(await drift(rows, points, settle)).toEqual(
      new Map([
        [7, 'stale'],
        [8, 'stale'],
        [50, 'extra'],
      ]),
    );
  });

  test('applies no changes without a difference', async () => {
    let settled = 0;
    expect(await drift(numbered(1, 1500), numbered(1, 1500), () => settled++)).toEqual(new Map());
    expect(settled).toBe(0);
  });
});
