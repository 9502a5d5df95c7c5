import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  cutClauses,
  isBehind,
  type ListedRows,
} from '@sightline/postgres/stores/database/listed-rows';
import { Placeholders } from '@sightline/postgres/stores/database/placeholders';
import { readBuckets } from '@sightline/postgres/stores/database/read-buckets';
import fc from 'fast-check';
import { openTestDoors, type TestDoors } from '../../support/fixtures/open-test-doors.ts';

const LIMITS = { most: 8, fewest: 3 };

let database: TestDoors;

beforeAll(async () => {
  database = await openTestDoors();
});

afterAll(async () => {
  await database[Symbol.asyncDispose]();
});

interface Part {
  readonly total: number;
  readonly direction: 'asc' | 'desc';
  /** Whether the rows have null instead of a value. */
  readonly isLast?: boolean;
  readonly isSorted?: boolean;
}

/** Rows with the ids from 1. Pairs of rows have the same value. */
function rowsOf({ total, direction, isLast = false, isSorted = false }: Part): ListedRows {
  const parameters = new Placeholders();
  const last = parameters.of(total, 'bigint');
  return {
    direction,
    type: isLast ? null : 'bigint',
    parameters,
    ...(isSorted && {
      whole: `SELECT ${isLast ? 'NULL::float8' : 'n / 2'} AS value, n AS id FROM generate_series(1::bigint, ${last}) AS n`,
    }),
    behind: (spot, cut) =>
      isLast
        ? `SELECT NULL::float8 AS value, n AS id FROM generate_series(1::bigint, ${last}) AS n
           WHERE n < ${spot.id} ORDER BY n DESC ${cutClauses(cut)}`
        : `SELECT n / 2 AS value, n AS id FROM generate_series(1::bigint, ${last}) AS n
           WHERE ${isBehind({ value: 'n / 2', id: 'n' }, spot, direction)}
           ORDER BY n ${direction} ${cutClauses(cut)}`,
  };
}

/** The positions that the rows of a part should have, in order. */
function positionsOf({ total, direction, isLast = false }: Part) {
  const ids = Array.from({ length: total }, (_, i) => (direction === 'asc' ? i + 1 : total - i));
  return ids.map((id) => ({ value: isLast ? null : Math.floor(id / 2), id }));
}

async function expectBuckets(parts: readonly Part[]): Promise<void> {
  const { items, total } = await database.doors.withScope(
    { environmentId: database.ours },
    (session) => readBuckets(session, parts.map(rowsOf), LIMITS),
  );
  const positions = parts.flatMap(positionsOf);
  expect(total).toBe(positions.length);
  expect(items.length).toBeLessThanOrEqual(LIMITS.most);
  let at = 0;
  for (const [i, { first, count }] of items.entries()) {
    expect(first).toEqual(positions[at]);
    expect(count).toBeGreaterThanOrEqual(i === items.length - 1 ? 1 : LIMITS.fewest);
    at += count;
  }
  expect(at).toBe(positions.length);
}

test('lists of any length are divided into few buckets of many rows', async () => {
  for (let total = 0; total < 120; total++) await expectBuckets([{ total, direction: 'desc' }]);
  for (const total of [7, 24, 25, 200, 1001]) {
    await expectBuckets([{ total, direction: 'asc' }]);
    await expectBuckets([{ total, direction: 'asc', isSorted: true }]);
    await expectBuckets([{ total, direction: 'desc', isSorted: true }]);
  }
});

test('lists of two parts are divided as one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat(60), fc.nat(60), fc.boolean(), (first, second, isSorted) =>
      expectBuckets([
        { total: first, direction: 'desc' },
        { total: second, direction: 'desc', isLast: true, isSorted },
      ]),
    ),
    { numRuns: 60 },
  );
});
