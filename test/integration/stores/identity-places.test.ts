import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type {
  IdentityFilter,
  IdentityOrder,
  IdentityPlace,
} from '@sightline/core/identities/identity-store';
import type { Page } from '@sightline/core/store/page';
import fc from 'fast-check';
import {
  changeLibrary,
  LIBRARY_CHANGES,
  type LibraryChange,
} from '../../support/fixtures/library-changes.ts';
import { type LibraryRows, readLibraryRows } from '../../support/fixtures/library-rows.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

const ORDERS: readonly IdentityOrder[] = ['label', 'detections', 'newest', 'last_seen'];
const FILTERS: readonly IdentityFilter[] = [
  {},
  { type: 'face' },
  { minDetections: 2 },
  { hasPending: true },
  { name: 'a' },
  { name: 'a', type: 'face', minDetections: 1, hasPending: true },
];

let store: StoreFixture;
let home: SeededEnvironment;

beforeAll(async () => {
  store = await openStoreFixture();
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

type Standing = ReturnType<LibraryRows['standings']>[number];

function fits(
  { type, name, minDetections, hasPending }: IdentityFilter,
  standing: Standing,
): boolean {
  return (
    (type === undefined || standing.type === type) &&
    (name === undefined || standing.label.toLowerCase().includes(name)) &&
    standing.detections >= (minDetections ?? 0) &&
    (hasPending !== true || standing.pending > 0)
  );
}

const BY: Readonly<Record<IdentityOrder, (a: Standing, b: Standing) => number>> = {
  label: (a, b) =>
    Buffer.compare(Buffer.from(a.label), Buffer.from(b.label)) ||
    Buffer.compare(Buffer.from(a.type), Buffer.from(b.type)),
  detections: (a, b) => b.detections - a.detections || b.id - a.id,
  newest: (a, b) => b.createdAt.getTime() - a.createdAt.getTime() || b.id - a.id,
  last_seen: (a, b) => (b.newest?.getTime() ?? 0) - (a.newest?.getTime() ?? 0) || b.id - a.id,
};

async function placesOf(
  filter: IdentityFilter,
  order: IdentityOrder,
  limit: number | null,
): Promise<readonly IdentityPlace[]> {
  const found: IdentityPlace[] = [];
  for (let hasMore = true; hasMore;) {
    const after = found.at(-1) ?? null;
    const page: Page<IdentityPlace> = await store.database.withScope(home.scope, ({ identities }) =>
      identities.places(filter, { order, after, limit }),
    );
    found.push(...page.items);
    ({ hasMore } = page);
  }
  return found;
}

async function expectPlacesToFit(limit: number): Promise<void> {
  const standings = (await readLibraryRows(store, home)).standings();
  for (const filter of FILTERS) {
    const expected = standings.filter((standing) => fits(filter, standing));
    const count = await store.database.withScope(home.scope, ({ identities }) =>
      identities.count(filter),
    );
    expect(count).toBe(expected.length);
    for (const order of ORDERS) {
      const ids = expected.toSorted(BY[order]).map(({ id }) => id);
      expect((await placesOf(filter, order, limit)).map(({ id }) => id)).toEqual(ids);
    }
  }
}

test('whatever is changed, each order has what the rows say', async () => {
  const change = fc.record<LibraryChange>({
    do: fc.constantFrom(...LIBRARY_CHANGES),
    which: fc.nat(1000),
    other: fc.nat(1000),
    similarity: fc.constantFrom(0.2, 0.5, 0.9),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 30, maxLength: 50 }),
      fc.integer({ min: 1, max: 7 }),
      async (changes, limit) => {
        home = await store.environment();
        for (const [i, step] of changes.entries()) {
          await changeLibrary({ store, home }, step);
          // Some standings are brought up to date, and others are not.
          if (i % 7 === 0) await store.maintenance.foldCounters();
          if (i % 10 === 0) await expectPlacesToFit(limit);
        }
        await store.maintenance.foldCounters();
        await expectPlacesToFit(limit);
        const found = await store.maintenance.contradictions();
        expect(found.filter((sentence) => sentence.includes('is ordered by'))).toEqual([]);
      },
    ),
    { numRuns: 4, endOnFailure: true },
  );
});

test('the values of places are those of the order', async () => {
  home = await store.environment();
  const [ada, bo] = [await home.identity('Ada'), await home.identity('Bo')];
  const { ids } = await home.photo([{ identityId: ada }, { identityId: ada }]);
  const face = (await home.detection(ids[0]!))!;
  for (const step of ['changed', 'settled']) {
    if (step === 'settled') await store.maintenance.foldCounters();
    expect(await placesOf({}, 'label', null)).toEqual([
      { value: 'Ada\u0001face', id: ada },
      { value: 'Bo\u0001face', id: bo },
    ]);
    expect(await placesOf({}, 'detections', null)).toEqual([
      { value: 2, id: ada },
      { value: 0, id: bo },
    ]);
    expect(await placesOf({}, 'last_seen', null)).toEqual([
      { value: face.detectedAt, id: ada },
      { value: null, id: bo },
    ]);
  }
});

test('identities that exchange faces in one statement change the time of their last ones', async () => {
  home = await store.environment();
  const [ada, bo] = [await home.identity('Ada'), await home.identity('Bo')];
  const { ids } = await home.photo([{ identityId: ada }, { identityId: bo }]);
  await home.change(ids[0]!, `detected_at = '2030-01-01'`);
  await store.maintenance.foldCounters();
  const seen = async () => (await placesOf({}, 'last_seen', null)).map(({ id }) => id);
  expect(await seen()).toEqual([ada, bo]);
  await store.query(
    `UPDATE detections SET identity_id = CASE id WHEN $1 THEN $4::bigint ELSE $3::bigint END
     WHERE id IN ($1, $2)`,
    [ids[0], ids[1], ada, bo],
  );
  expect(await seen()).toEqual([bo, ada]);
  await store.maintenance.foldCounters();
  expect(await seen()).toEqual([bo, ada]);
});
