import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type {
  FaceLists,
  QueuedFace,
  QueueFilter,
  QueueOrder,
  QueuePosition,
  SuggestionRule,
  TimePosition,
} from '@sightline/core/detections/face-lists';
import type { Page } from '@sightline/core/store/page';
import fc from 'fast-check';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';
import {
  changeLibrary,
  LIBRARY_CHANGES,
  type LibraryChange,
} from '../../support/fixtures/library-changes.ts';
import { type LibraryRows, readLibraryRows } from '../../support/fixtures/library-rows.ts';

let store: StoreFixture;
let home: SeededEnvironment;
let rule: SuggestionRule;

beforeAll(async () => {
  store = await openStoreFixture();
});

beforeEach(async () => {
  home = await store.environment();
  rule = { modelId: store.faceModelId, leastSimilarity: 0.3, most: 5 };
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

function read<T>(work: (faces: FaceLists) => Promise<T>): Promise<T> {
  return store.database.withScope(home.scope, ({ faces }) => work(faces));
}

async function all<Item, Position>(
  limit: number,
  readPage: (
    faces: FaceLists,
    page: { readonly after: Position | null; readonly limit: number },
  ) => Promise<Page<Item & Position>>,
): Promise<readonly Item[]> {
  const items: (Item & Position)[] = [];
  for (let more = true; more;) {
    const after = items.at(-1) ?? null;
    const page = await read((faces) => readPage(faces, { after, limit }));
    expect(page.items.length).toBe(page.hasMore ? limit : page.items.length);
    items.push(...page.items);
    more = page.hasMore;
  }
  return items;
}

const idsOf = (items: readonly { readonly id: number }[]) => items.map(({ id }) => id);

function queue(suggestedOnly: boolean, limit = 3) {
  return queueOf({ suggestedOnly }, 'confidence', limit);
}

async function queueOf(
  filter: Omit<QueueFilter, 'rule'>,
  order: QueueOrder,
  limit = 3,
): Promise<readonly QueuedFace[]> {
  const listed = await all<QueuedFace, QueuePosition>(limit, async (faces, page) => {
    const { items, hasMore } = await faces.reviewQueue({ ...filter, rule }, { ...page, order });
    return { items: items.map((item) => ({ ...item, value: item.sortValue })), hasMore };
  });
  const count = await read((faces) => faces.countReviewQueue({ ...filter, rule }));
  expect(count).toBe(listed.length);
  return listed;
}

type ExpectedFace = ReturnType<LibraryRows['queue']>[number];

/** The faces of the queue in an order. */
function ordered(faces: readonly ExpectedFace[], order: QueueOrder): readonly ExpectedFace[] {
  const valueOf = ({ suggestions: [best], confidence, detectedAt }: ExpectedFace): number => {
    if (order === 'similarity') return best?.[1] ?? -2;
    return order === 'newest' ? detectedAt.getTime() : confidence;
  };
  return faces.toSorted((a, b) => valueOf(b) - valueOf(a) || b.id - a.id);
}

/** Reads the queue in each order and with each filter. */
async function expectQueueToFit(rows: LibraryRows, limit: number): Promise<void> {
  const faces = rows.queue(rule);
  for (const order of ['confidence', 'newest', 'similarity'] as const) {
    const listed = idsOf(await queueOf({}, order, limit));
    expect(new Set(listed)).toEqual(new Set(idsOf(faces)));
    expect(listed).toHaveLength(faces.length);
    const similar = await queueOf({ minSimilarity: 0.5 }, order, limit);
    const expected = faces.filter(
      ({ suggestions: [best] }) => best !== undefined && best[1] >= 0.5,
    );
    expect(new Set(idsOf(similar))).toEqual(new Set(idsOf(expected)));
    // While an identity is deleted or merged, its suggestions still give the order.
    if (!rows.isSettled()) continue;
    expect(listed).toEqual(idsOf(ordered(faces, order)));
    expect(idsOf(similar)).toEqual(idsOf(ordered(expected, order)));
    for (const identityId of rows.identityIds()) {
      const own = faces.filter(({ suggestions: [best] }) => best?.[0] === identityId);
      expect(idsOf(await queueOf({ identityId }, order, limit))).toEqual(
        idsOf(ordered(own, order)),
      );
    }
  }
}

async function expectListsToFit(rows: LibraryRows, limit: number): Promise<void> {
  const queued = await queue(false, limit);
  expect(
    queued.map(({ id, identity, confidence, detectedAt, suggestions }) => ({
      id,
      identityId: identity?.id ?? null,
      confidence,
      detectedAt,
      suggestions: suggestions.map(({ identityId, similarity }) => [identityId, similarity]),
    })),
  ).toEqual(rows.queue(rule));
  const suggested = rows.queue(rule).filter(({ suggestions }) => suggestions.length > 0);
  expect(idsOf(await queue(true, limit))).toEqual(idsOf(suggested));
  await expectQueueToFit(rows, limit);
  const unknown = await all<{ readonly id: number }, TimePosition>(limit, (faces, page) =>
    faces.unknown(page),
  );
  expect(idsOf(unknown)).toEqual(rows.unknown());
  for (const identityId of rows.identityIds()) {
    const own = (order: 'newest' | 'oldest') =>
      all<{ readonly id: number }, TimePosition>(limit, (faces, page) =>
        faces.gallery(identityId, order, page),
      );
    expect(idsOf(await own('newest'))).toEqual(rows.gallery(identityId).toReversed());
    expect(idsOf(await own('oldest'))).toEqual(rows.gallery(identityId));
    const rejected = await all<{ readonly id: number }, TimePosition>(limit, (faces, page) =>
      faces.rejected(identityId, page),
    );
    expect(idsOf(rejected)).toEqual(rows.rejected(identityId));
  }
}

test('whatever is changed, all lists and counts have what the rows say', async () => {
  const change = fc.record<LibraryChange>({
    do: fc.constantFrom(...LIBRARY_CHANGES),
    which: fc.nat(1000),
    other: fc.nat(1000),
    similarity: fc.constantFrom(0.2, 0.3, 0.4, 0.5, 0.9),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { minLength: 30, maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      async (changes, limit) => {
        home = await store.environment();
        for (const [i, step] of changes.entries()) {
          await changeLibrary({ store, home }, step);
          if (i % 3 === 0) await expectListsToFit(await readLibraryRows(store, home), limit);
        }
        await expectListsToFit(await readLibraryRows(store, home), limit);
      },
    ),
    { numRuns: 5, endOnFailure: true },
  );
}, 60_000);

describe('of a face in the review queue, with an identity that is being deleted', () => {
  let face: number;
  let ada: number;
  let bo: number;

  beforeEach(async () => {
    ada = await home.identity('Ada');
    bo = await home.identity('Bo');
    face = (await home.photo([{}])).ids[0]!;
  });

  const suggest = (...candidates: readonly [identityId: number, similarity: number][]) =>
    store.database.withEntities(
      { ...home.scope, locks: [{ entity: 'detection', id: face }] },
      (tx) =>
        tx.suggestions.replace(rule.modelId, [
          {
            detectionId: face,
            candidates: candidates.map(([identityId, similarity]) => ({ identityId, similarity })),
          },
        ]),
    );
  const leave = (id: number, into: number | null = null) =>
    store.query('UPDATE identities SET deleting_since = now(), merged_into = $2 WHERE id = $1', [
      id,
      into,
    ]);

  async function suggested() {
    const faces = await queue(true);
    return faces.map(({ suggestions }) =>
      suggestions.map(({ label, similarity }) => [label, similarity]),
    );
  }

  test('a suggestion of one that is deleted is none', async () => {
    await suggest([ada, 0.9]);
    expect(await suggested()).toEqual([[['Ada', 0.9]]]);
    await leave(ada);
    expect(await suggested()).toEqual([]);
  });

  test('the next best suggestion remains', async () => {
    await suggest([ada, 0.9], [bo, 0.3]);
    await leave(ada);
    expect(await suggested()).toEqual([[['Bo', 0.3]]]);
    rule = { ...rule, leastSimilarity: 0.31 };
    expect(await suggested()).toEqual([]);
  });

  test('a suggestion of one that merges is of its target, once', async () => {
    await suggest([ada, 0.9], [bo, 0.3]);
    await leave(ada, bo);
    expect(await suggested()).toEqual([[['Bo', 0.9]]]);
  });

  test('who was rejected from the source is not the target', async () => {
    await suggest([bo, 0.9]);
    await home.reject(face, ada);
    expect(await suggested()).toEqual([[['Bo', 0.9]]]);
    await leave(ada, bo);
    expect(await suggested()).toEqual([]);
  });

  test('who was rejected from the target is not the source', async () => {
    await suggest([bo, 0.9]);
    await home.reject(face, ada);
    await leave(bo, ada);
    expect(await suggested()).toEqual([]);
  });

  test('a face of one that is deleted is not in the queue', async () => {
    await home.change(face, `identity_id = ${ada}`);
    await suggest([bo, 0.9]);
    expect(await suggested()).toHaveLength(1);
    await leave(ada);
    expect(await suggested()).toEqual([]);
    expect(await queue(false)).toEqual([]);
    expect(await read((lists) => lists.countReviewQueue({ rule: null }))).toBe(0);
  });

  test('a face of one that merges is of the target', async () => {
    await home.change(face, `identity_id = ${ada}`);
    await leave(ada, bo);
    const [queued] = await queue(false);
    expect(queued?.identity).toEqual({ id: bo, label: 'Bo' });
    expect(await read((lists) => lists.countReviewQueue({ rule: null }))).toBe(1);
  });
});
