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
import type { QueueSelection, QueueSelections } from '@sightline/core/detections/queue-selection';
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

function readQueue<T>(work: (queue: QueueSelections) => Promise<T>): Promise<T> {
  return store.database.withScope(home.scope, ({ queue }) => work(queue));
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

const GROUP_PAGE = { after: null, limit: 200, samples: 6 };

/** Reads the groups and what filters select, and compares them with the lists. */
async function expectGroupsToFit(rows: LibraryRows): Promise<void> {
  const faces = rows.queue(rule);
  for (const filter of [{}, { minSimilarity: 0.5 }]) {
    const { items } = await readQueue((queue) => queue.groups({ ...filter, rule }, GROUP_PAGE));
    let total = 0;
    for (const { identityId, count, best, worst, samples } of items) {
      const own = await queueOf({ ...filter, identityId }, 'similarity', 50);
      expect({ identityId, count }).toEqual({ identityId, count: own.length });
      expect(idsOf(samples)).toEqual(idsOf(own.slice(0, GROUP_PAGE.samples)));
      expect([best, worst]).toEqual([own[0]!.sortValue, own.at(-1)!.sortValue]);
      total += count;
    }
    expect(items).toEqual(
      items.toSorted((a, b) => b.count - a.count || b.identityId - a.identityId),
    );
    const counted = await read((lists) =>
      lists.countReviewQueue({ ...filter, suggestedOnly: true, rule }),
    );
    // Faces whose best suggestion is being deleted are in no group, and are counted if they have another one.
    if (rows.isSettled()) expect(total).toBe(counted);
    else expect(total).toBeLessThanOrEqual(counted);
  }
  await expectSelectionsToFit(faces);
}

async function expectSelectionsToFit(faces: readonly ExpectedFace[]): Promise<void> {
  const all = { rule, queuedUntil: new Date('2100-01-01'), except: [] };
  const identityId = faces.find(({ suggestions }) => suggestions.length > 0)?.suggestions[0]![0];
  const [first] = faces;
  const selections: readonly QueueSelection[] = [
    all,
    { ...all, minSimilarity: 0.5 },
    { ...all, maxSimilarity: 0.4 },
    ...(identityId === undefined
      ? []
      : [
          { ...all, identityId },
          { ...all, identityId, minSimilarity: 0.4 },
        ]),
    ...(first === undefined
      ? []
      : [{ ...all, except: [first.id], detectedSince: first.detectedAt }]),
    { ...all, queuedUntil: new Date(0) },
  ];
  for (const selection of selections) {
    const { queuedUntil, except, detectedSince, maxSimilarity } = selection;
    const { identityId: suggested, minSimilarity } = selection;
    const filter = {
      ...(suggested !== undefined && { identityId: suggested }),
      ...(minSimilarity !== undefined && { minSimilarity }),
    };
    const listed = await queueOf(filter, 'confidence', 50);
    const expected = listed.filter(({ id, detectedAt, suggestions: [best] }) => {
      const isSimilar = maxSimilarity === undefined || (best?.similarity ?? 2) <= maxSimilarity;
      const isLate = detectedSince === undefined || detectedAt >= detectedSince;
      return isSimilar && isLate && !except.includes(id) && queuedUntil > new Date(0);
    });
    const ids = idsOf(expected).toSorted((a, b) => a - b);
    const found = await readQueue(async (queue) => {
      const pages: number[] = [];
      for (let page = [0]; page.length > 0;) {
        page = [...(await queue.ids(selection, { after: page.at(-1)!, limit: 2 }))];
        pages.push(...page);
      }
      const among = await queue.among(selection, idsOf(faces));
      return { pages, among: among.toSorted((a, b) => a - b), count: await queue.count(selection) };
    });
    expect({ selection, ...found }).toEqual({
      selection,
      pages: ids,
      among: ids,
      count: ids.length,
    });
  }
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
  await expectGroupsToFit(rows);
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
});

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
