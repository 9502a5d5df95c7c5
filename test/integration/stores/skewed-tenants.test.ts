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
}, 300_000);

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
    for (let i = 0; i < 8; i++) await reviewFace(database, 2 + SMALL, ROWS + 2 * SMALL + (i % 2));
    for (let i = 0; i < 8; i++) await reviewFace(database, LARGE, ROWS / 2 + i);
  });
  expect(through).toEqual([]);
});

/** Runs all statements of the actions on a face, and leaves the face rejected. */
async function reviewFace(database: Database, environmentId: number, id: number): Promise<void> {
  await database.withEntities({ environmentId, locks: [] }, async (tx) => {
    await tx.requireActive(1);
    const identity = await tx.identities.byId(id);
    const references = await tx.references.ofDetections([id]);
    await tx.references.revoke(references);
    await tx.references.enroll(references);
    await tx.identities.dropCover(id, id);
    const rejected = { identityId: null, similarity: null, reviewStatus: 'rejected' } as const;
    await tx.detections.decide({ id, identityId: id }, { ...rejected, decidedBy: 'human' });
    await tx.detections.forgetRejection({ detectionId: id, identityId: id });
    await tx.detections.reject({ detectionId: id, identityId: id });
    expect([identity?.id, references.length]).toEqual([id, 1]);
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
