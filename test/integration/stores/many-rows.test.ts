import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Stores, Transaction } from '@sightline/core/database/database';
import type { Conflicts, Merge, RejectionPage } from '@sightline/core/identities/merge-store';
import type { SourceFilter, SourceOrder } from '@sightline/core/sources/source-store';
import { INSERT_FACES, SCOPED_TABLES } from '../../support/fixtures/face-rows.ts';
import { ReadCounter } from '../../support/fixtures/read-counter.ts';

const PEOPLE = 2_000;
/** The faces of each of the two identities that have more than most; each face is in an image of its own. */
const MANY = 31_000;
const REJECTED = 3_000;
const [FIRST, SECOND, DISLIKED] = [PEOPLE + 1, PEOPLE + 2, PEOPLE + 3];
const PAGE = 50;
/** The days on which something was counted. */
const DAYS = 3_000;

let counter: ReadCounter;

beforeAll(async () => {
  counter = await ReadCounter.open(SCOPED_TABLES);
  await counter.owner.query(`
    INSERT INTO environments (name) VALUES ('ours');
    INSERT INTO models (name, digest, task, version, license, commercial_use, provides,
      embedding_dim, classes, status)
    VALUES ('m', sha256('m'), 'face', '1', 'MIT', true, '{}', 2, '{}', 'active');
    SET session_replication_role = replica;
    CREATE TEMPORARY TABLE n AS SELECT i, 1 AS e FROM generate_series(1, ${PEOPLE}) AS i;
    ${INSERT_FACES}
    INSERT INTO identities (environment_id, id, type, label) OVERRIDING SYSTEM VALUE
      VALUES (1, ${FIRST}, 'face', 'First'), (1, ${SECOND}, 'face', 'Second'), (1, ${DISLIKED}, 'face', 'Third');
    CREATE TEMPORARY TABLE m AS SELECT i, CASE WHEN i <= ${PEOPLE + MANY} THEN ${FIRST}
      WHEN i <= ${PEOPLE + 2 * MANY} THEN ${SECOND} END AS identity
      FROM generate_series(${PEOPLE + 1}, ${PEOPLE + 2 * MANY + REJECTED}) AS i;
    INSERT INTO source_images (environment_id, id, digest, size_bytes, format, width, height,
      stored_width, stored_height, media_key, media_bytes, uploaded_at, face_count, tagged_face_count)
      OVERRIDING SYSTEM VALUE
      SELECT 1, i, sha256(i::text::bytea), 9, 'jpeg', 9, 9, 9, 9, 'm' || i, 9,
        now() - make_interval(mins => i * 7919 % 100003), 1, (identity IS NOT NULL)::int FROM m;
    INSERT INTO detections (environment_id, id, source_image_id, type, bbox_x, bbox_y, bbox_w, bbox_h,
      confidence, identity_id, review_status, decided_by, is_manual, crop_key, crop_bytes, detected_at)
      OVERRIDING SYSTEM VALUE
      SELECT 1, i, i, 'face', 1, 1, 1, 1, 0.5, identity,
        CASE WHEN identity IS NULL THEN 'rejected' ELSE 'confirmed' END, 'human', false, 'c' || i, 1,
        now() - make_interval(mins => i * 7919 % 100003) FROM m;
    INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta, is_folded)
      SELECT 1, c, id, CASE c WHEN 'identity.embeddings' THEN 1 ELSE 0 END,
        CASE WHEN id > ${PEOPLE} THEN ${MANY} ELSE id % 7 END, true
      FROM identities, unnest(array['identity.detections', 'identity.embeddings']) AS c;
    INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta, is_folded)
      SELECT 1, c, day_of(now()) - ago, 0, ago, true
      FROM generate_series(0, ${DAYS - 1}) AS ago, unnest(array['day.faces', 'day.confirmed_human', 'day.enrolled']) AS c;
    RESET session_replication_role;
    INSERT INTO rejected_pairs (environment_id, detection_id, identity_id)
      SELECT 1, i, ${DISLIKED} FROM m WHERE identity IS NULL`);
  // After a vacuum, the index alone shows which images an identity is in.
  await counter.owner.query('VACUUM (ANALYZE)');
});

afterAll(async () => {
  await counter[Symbol.asyncDispose]();
});

async function read<T>(work: (stores: Stores) => Promise<T>) {
  let result: T;
  const through = await counter.tablesReadThrough(async ({ database }) => {
    result = await database.withScope({ environmentId: 1 }, work);
  });
  return { result: result!, through };
}

test('a page of rejected faces reads few of them, and the pages together have each once', async () => {
  const first = await read(({ faces }) => faces.rejected(DISLIKED, { after: null, limit: PAGE }));
  expect(first.through).toEqual([]);
  expect(first.result).toMatchObject({ items: { length: PAGE }, hasMore: true });
  const { result: times } = await read(async ({ faces }) => {
    const found: [number, number][] = [];
    for (let after = null, hasMore = true; hasMore;) {
      const page = await faces.rejected(DISLIKED, { after, limit: 700 });
      found.push(
        ...page.items.map(({ detectedAt, id }) => [detectedAt.getTime(), id] as [number, number]),
      );
      after = page.items.at(-1)! as never;
      ({ hasMore } = page);
    }
    return found;
  });
  expect(new Set(times.map(([, id]) => id)).size).toBe(REJECTED);
  expect(times).toEqual(times.toSorted(([a, i], [b, j]) => b - a || j - i));
});

test('two identities that share no image are found apart without checking each image', async () => {
  const { result, through } = await read(({ sources }) =>
    sources.list({ identityIds: [FIRST, SECOND] }, { order: 'newest', after: null, limit: PAGE }),
  );
  expect(result.items).toEqual([]);
  expect(through).toEqual([]);
});

test('the details of many identities cost few searches', async () => {
  const { result, through } = await read(async ({ identities }) => {
    const { items } = await identities.list({}, { after: null, limit: 400 });
    return identities.withDetails(items, 1);
  });
  for (const { id, detectionCount, embeddingCount, pendingReviewCount } of result) {
    const count = id > PEOPLE ? MANY : id % 7;
    expect([detectionCount, embeddingCount, pendingReviewCount]).toEqual([count, count, 0]);
  }
  expect(through).not.toContain('counter_deltas');
});

test('the counts of the last days are read without those of earlier ones', async () => {
  const { result, through } = await read(({ statistics }) => statistics.days(90));
  expect(result.map(({ confirmedHuman }) => confirmedHuman)).toEqual(
    Array.from({ length: 90 }, (_, i) => 89 - i),
  );
  expect(through).toEqual([]);
});

/** Does a step of a merge, and returns the tables of which it reads many rows. */
function readByStep(merge: Merge, step: (tx: Transaction) => Promise<unknown>) {
  const locks = [merge.from, merge.into].map(
    (id) => ({ entity: 'identity', id, mode: 'exclusive' }) as const,
  );
  return counter.tablesReadThrough(({ database }) =>
    database.withEntities({ environmentId: 1, locks }, step),
  );
}

test('a step of a merge searches only the images of the faces that it moves', async () => {
  const merge = { from: FIRST, into: SECOND };
  expect(await readByStep(merge, (tx) => tx.merges.doubles(merge, 100))).toEqual([]);
});

test.each([
  [FIRST, DISLIKED],
  [DISLIKED, FIRST],
])('the steps of a merge of %i into %i read each rejection once', async (from, into) => {
  const merge = { from, into };
  const lasts: number[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page: RejectionPage = { after, limit: 500 };
    let conflicts: Conflicts;
    const through = await readByStep(merge, async (tx) => {
      conflicts = await tx.merges.conflicts(merge, page);
    });
    expect(through).toEqual([]);
    expect(conflicts!.ids).toEqual([]);
    after = conflicts!.last;
    if (after !== null) lasts.push(after);
  }
  const first = PEOPLE + 2 * MANY;
  expect(lasts).toEqual(Array.from({ length: REJECTED / 500 }, (_, i) => first + 500 * (i + 1)));
});

/** How often reads have searched the index of the detections of identities. */
async function searchesOfIdentities(): Promise<number> {
  const { rows } = await counter.owner.query<{ searches: string }>(
    `SELECT idx_scan AS searches FROM pg_stat_user_indexes
     WHERE indexrelname = 'detections_of_identity'`,
  );
  return Number(rows[0]!.searches);
}

test.each<[string, SourceFilter, SourceOrder]>([
  ['newest first', {}, 'newest'],
  ['with faces, oldest first', { type: 'face' }, 'oldest'],
  ['with most faces first', {}, 'most_detections'],
  ['with fewest faces first', { type: 'face' }, 'fewest_detections'],
  ['without a known face', { noTaggedFaces: true }, 'newest'],
])('images %s are read in order while an identity is deleted', async (_, filter, order) => {
  await counter.owner.query('UPDATE identities SET deleting_since = now() WHERE id = $1', [FIRST]);
  const before = await searchesOfIdentities();
  const { result, through } = await read(({ sources }) =>
    sources.list(filter, { order, after: null, limit: PAGE }),
  );
  expect(result.items).toHaveLength(PAGE);
  expect(through).toEqual([]);
  // Each search would pass all faces of the deleted identity.
  expect((await searchesOfIdentities()) - before).toBe(0);
});
