import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

/** The number of rows that one statement changes. */
const CHUNK = 5_000;

let store: StoreFixture;
let home: SeededEnvironment;

beforeAll(async () => {
  store = await openStoreFixture();
});
beforeEach(async () => {
  home = await store.environment();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

/** Writes an operation with items and files, whose values expire after this number of days. */
async function operation(rows: { readonly items: number; readonly files: number }, days = 0) {
  const [row] = await store.query<{ id: number }>(
    `INSERT INTO operations (environment_id, kind, created_at, expires_at)
     VALUES ($1, 'delete_images', now() - interval '1 year', now() + make_interval(days => $2)) RETURNING id`,
    [home.scope.environmentId, days],
  );
  const values = [home.scope.environmentId, row!.id];
  await store.query(
    `INSERT INTO operation_items (environment_id, operation_id, subject, subject_id, part, part_id, before, after)
     SELECT $1, $2, 'image', n, 'row', 0, '{}', NULL FROM generate_series(1, $3::integer) AS n`,
    [...values, rows.items],
  );
  await store.query(
    `INSERT INTO set_aside_files (environment_id, operation_id, media_key, bytes)
     SELECT $1, $2::bigint, $2::bigint || '/' || n, 1 FROM generate_series(1, $3::integer) AS n`,
    [...values, rows.files],
  );
  return row!.id;
}

async function valuesOf(id: number): Promise<number> {
  const [row] = await store.query<{ count: number }>(
    'SELECT count(*) FROM operation_items WHERE operation_id = $1 AND before IS NOT NULL',
    [id],
  );
  return row!.count;
}

const isCleared = async (id: number) =>
  (
    await store.query<{ cleared: boolean }>(
      'SELECT cleared_at IS NOT NULL AS cleared FROM operations WHERE id = $1',
      [id],
    )
  )[0]!.cleared;

test('the values of a large operation are deleted in steps, and its files after them', async () => {
  const large = await operation({ items: 12_000, files: 6_000 });
  const kept = await operation({ items: 2, files: 1 }, 1);
  const steps: { readonly values: number; readonly files: number; readonly cleared: boolean }[] =
    [];
  for (;;) {
    const files = await store.operationPruner.clear();
    if (files === null) break;
    const values = await valuesOf(large);
    steps.push({ values, files: files.length, cleared: await isCleared(large) });
  }
  expect(steps).toEqual([
    { values: 7_000, files: 0, cleared: false },
    { values: 2_000, files: 0, cleared: false },
    { values: 0, files: CHUNK, cleared: false },
    { values: 0, files: 1_000, cleared: true },
  ]);
  expect(await valuesOf(kept)).toBe(2);
});

test('several small operations are cleared in one step', async () => {
  const ids = [
    await operation({ items: 3, files: 1 }),
    await operation({ items: 0, files: 0 }),
    await operation({ items: 2, files: 2 }),
  ];
  expect(await store.operationPruner.clear()).toHaveLength(3);
  expect(await store.operationPruner.clear()).toBeNull();
  for (const id of ids) expect(await isCleared(id)).toBe(true);
});

test('old operations are deleted with all their items, when they have no values', async () => {
  const large = await operation({ items: 12_000, files: 0 });
  await store.operationPruner.prune(30);
  expect(await valuesOf(large)).toBe(12_000);
  while ((await store.operationPruner.clear()) !== null);
  await store.operationPruner.prune(400);
  expect(await isCleared(large)).toBe(true);
  await store.operationPruner.prune(30);
  const rows = await store.query('SELECT FROM operation_items WHERE operation_id = $1', [large]);
  expect(rows).toEqual([]);
  const operations = await store.query('SELECT FROM operations WHERE id = $1', [large]);
  expect(operations).toEqual([]);
});
