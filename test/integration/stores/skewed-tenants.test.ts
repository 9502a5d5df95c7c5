import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '@sightline/core/database/database';
import { INSERT_FACES, SCOPED_TABLES } from '../../support/fixtures/face-rows.ts';
import { ReadCounter } from '../../support/fixtures/read-counter.ts';
import { scopedReads } from '../../support/fixtures/scoped-reads.ts';

/** The number of rows of each kind that the large environment has. */
const ROWS = 20_000;
const SMALL_ENVIRONMENTS = 3000;
const LARGE = 1;
const SMALL = 7;

let counter: ReadCounter;

/**
 * The large environment has the first ROWS rows. Each other environment has two of the following
 * rows.
 */
beforeAll(async () => {
  counter = await ReadCounter.open(SCOPED_TABLES);
  await counter.owner.query(`
    INSERT INTO environments (name) SELECT 'e' || i FROM generate_series(0, ${SMALL_ENVIRONMENTS}) AS i;
    INSERT INTO models (name, digest, task, version, license, commercial_use, provides,
      embedding_dim, classes, status)
    VALUES ('m', sha256('m'), 'face', '1', 'MIT', true, '{}', 2, '{}', 'active');
    SET session_replication_role = replica;
    CREATE TEMPORARY TABLE n AS
      SELECT i, CASE WHEN i <= ${ROWS} THEN ${LARGE} ELSE 2 + (i - ${ROWS}) / 2 END AS e
      FROM generate_series(1, ${ROWS + 2 * SMALL_ENVIRONMENTS - 2}) AS i;
    ${INSERT_FACES}
    INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta, is_folded)
      SELECT e, 'identity.embeddings', i, 1, 1, true FROM n;
    INSERT INTO index_readers (name, filled_at) VALUES ('reader 1', now());
    RESET session_replication_role;
    DROP TABLE n;
    ANALYZE`);
});

afterAll(async () => {
  await counter[Symbol.asyncDispose]();
});

const inLarge = scopedReads({ id: ROWS / 2, modelId: 1 });

test.each(Object.entries(inLarge))('%s in a large environment uses an index', async (_, read) => {
  const through = await counter.tablesReadThrough(({ database }) =>
    database.withScope({ environmentId: LARGE }, read),
  );
  expect(through).toEqual([]);
});

const inSmall = scopedReads({ id: ROWS + 2 * SMALL, modelId: 1 });

test.each(Object.entries(inSmall))('%s in a small environment uses an index', async (_, read) => {
  const through = await counter.tablesReadThrough(({ database }) =>
    database.withScope({ environmentId: 2 + SMALL }, read),
  );
  expect(through).toEqual([]);
});

test('plans that connections keep suit a large environment, even if they were made for a small one', async () => {
  const name = 'faceRecords.byIds';
  await counter.owner.query(
    `SELECT setval(pg_get_serial_sequence('face_references', 'id'), 1e9::bigint)`,
  );
  const through = await counter.tablesReadThrough(async ({ database }) => {
    // From the sixth execution on, Postgres may use a generic plan, which serves all environments.
    for (let i = 0; i < 8; i++)
      await database.withScope({ environmentId: 2 + SMALL }, inSmall[name]!);
    for (let i = 0; i < 8; i++) await database.withScope({ environmentId: LARGE }, inLarge[name]!);
    const [first, large] = [ROWS + 2 * SMALL, ROWS / 2];
    for (let i = 0; i < 8; i++) await reviewFaces(database, 2 + SMALL, [first + (i % 2)]);
    for (let i = 0; i < 8; i++) await reviewFaces(database, LARGE, [large + i]);
    for (let i = 0; i < 8; i++) await reviewFaces(database, 2 + SMALL, [first, first + 1]);
    for (let i = 10; i < 26; i += 2) await reviewFaces(database, LARGE, [large + i, large + i + 1]);
  });
  expect(through).toEqual([]);
});

/** Runs all statements of the actions on faces, and leaves the faces rejected. */
async function reviewFaces(
  database: Database,
  environmentId: number,
  ids: readonly number[],
): Promise<void> {
  await database.withEntities({ environmentId, locks: [] }, async (tx) => {
    await tx.requireActive(1);
    const references = await tx.references.ofDetections(ids);
    await tx.references.exchange(references, references);
    const pairs = ids.map((id) => ({ detectionId: id, identityId: id }));
    await tx.identities.dropCovers(pairs);
    const rejected = { identityId: null, similarity: null, reviewStatus: 'rejected' } as const;
    const decision = { ...rejected, decidedBy: 'human' } as const;
    await tx.detections.decide(ids.map((id) => ({ detection: { id, identityId: id }, decision })));
    await tx.detections.forgetRejections(pairs);
    await tx.detections.reject(pairs);
    const identities = await Promise.all(ids.map((id) => tx.identities.byId(id)));
    expect([identities.map((identity) => identity?.id), references.length]).toEqual([
      ids,
      ids.length,
    ]);
  });
}

test('faces whose suggestions change are looked up by their keys, however long the queue is', async () => {
  await counter.owner.query(`
    SET session_replication_role = replica;
    UPDATE detections SET review_status = 'pending', confidence = random();
    RESET session_replication_role`);
  // After a vacuum an index-only scan is possible.
  await counter.owner.query('VACUUM (ANALYZE) detections');
  const ids = Array.from({ length: 20 }, (_, i) => ROWS / 2 + i);
  const suggestions = ids.map((id) => ({
    detectionId: id,
    candidates: [{ identityId: id + 1, similarity: 0.7 }],
  }));
  const before = await queueSearches();
  const through = await counter.tablesReadThrough(async ({ database }) => {
    const locks = ids.map((id) => ({ entity: 'detection' as const, id }));
    await database.withEntities({ environmentId: LARGE, locks }, (tx) =>
      tx.suggestions.replace(1, suggestions),
    );
  });
  expect(through).toEqual([]);
  expect((await queueSearches()) - before).toBe(0);
  const { rows } = await counter.owner.query<{ similarity: number }>(
    'SELECT similarity FROM suggested_faces WHERE detection_id = any($1)',
    [ids],
  );
  expect(rows.map(({ similarity }) => similarity)).toEqual(ids.map(() => 0.7));
});

async function queueSearches(): Promise<number> {
  const { rows } = await counter.owner.query<{ searches: string }>(
    `SELECT idx_scan AS searches FROM pg_stat_user_indexes
     WHERE indexrelname = 'detections_review_queue'`,
  );
  return Number(rows[0]!.searches);
}
