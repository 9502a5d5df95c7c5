import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { INSERT_FACES } from '../../support/fixtures/face-rows.ts';
import { ReadCounter } from '../../support/fixtures/read-counter.ts';
import { seedCrowd } from '../../support/fixtures/seed-crowd.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

const FACES = 2000;
/** The number of people with one face each. */
const PEOPLE = 300;
/** The number of people whom each of two faces resembles. */
const SUGGESTED = 100;

let store: StoreFixture;

beforeAll(async () => {
  store = await openStoreFixture();
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

test('a pair of a face and an identity is looked up alone, before statistics tell of them', async () => {
  const home = await store.environment();
  const { environmentId } = home.scope;
  const [crowd, ann] = [await home.identity('Crowd'), await home.identity('Ann')];
  await seedCrowd(store, home, { identityId: crowd, count: FACES });
  for (const table of ['detections', 'rejected_pairs', 'suggestions']) {
    await store.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  }
  await store.query(
    `INSERT INTO rejected_pairs (environment_id, detection_id, identity_id)
     SELECT environment_id, id, $2 FROM detections WHERE environment_id = $1`,
    [environmentId, ann],
  );
  await store.query(
    `INSERT INTO suggestions (environment_id, model_id, detection_id, identity_id, similarity)
     SELECT environment_id, $2, id, $3, 0.5 FROM detections WHERE environment_id = $1`,
    [environmentId, store.faceModelId, ann],
  );
  await store.query(`UPDATE detections SET review_status = 'pending' WHERE environment_id = $1`, [
    environmentId,
  ]);
  // This is the statement that the triggers and `sightline check` use.
  const plan = await store.query<{ 'QUERY PLAN': string }>(
    `EXPLAIN (ANALYZE, TIMING false)
     SELECT s.environment_id, s.detection_id, s.model_id, max(s.similarity)
     FROM suggestions s JOIN detections d USING (environment_id)
     WHERE d.id = s.detection_id AND d.type = 'face' AND d.review_status = 'pending'
       AND d.dismissed_at IS NULL AND NOT EXISTS (
         SELECT FROM rejected_pairs p
         WHERE p.environment_id = s.environment_id AND p.detection_id = s.detection_id
           AND p.identity_id = s.identity_id)
     GROUP BY s.environment_id, s.detection_id, s.model_id`,
  );
  const lines = plan.map((row) => row['QUERY PLAN']);
  expect(lines.filter((line) => line.includes('Rows Removed by Filter'))).toEqual([]);
});

/** Creates people with one face each. */
async function insertPeople(counter: ReadCounter, count: number): Promise<void> {
  await counter.owner.query(`
    INSERT INTO environments (name) VALUES ('home');
    INSERT INTO models (name, digest, task, version, license, commercial_use, provides,
      embedding_dim, classes, status)
    VALUES ('m', sha256('m'), 'face', '1', 'MIT', true, '{}', 2, '{}', 'active');
    SET session_replication_role = replica;
    CREATE TEMPORARY TABLE n AS SELECT i, 1 AS e FROM generate_series(1, ${count}) AS i;
    ${INSERT_FACES}`);
}

test('suggested people are looked up one by one, before statistics tell of them', async () => {
  await using counter = await ReadCounter.open(['identities']);
  await insertPeople(counter, PEOPLE);
  const candidates = Array.from({ length: SUGGESTED }, (_, i) => ({
    identityId: i + 1,
    similarity: 0.7,
  }));
  const ids = [PEOPLE - 1, PEOPLE];
  const suggestions = ids.map((detectionId) => ({ detectionId, candidates }));
  const through = await counter.tablesReadThrough(async ({ database }) => {
    const locks = ids.map((id) => ({ entity: 'detection' as const, id }));
    const replaced = await database.withEntities({ environmentId: 1, locks }, (tx) =>
      tx.suggestions.replace(1, suggestions),
    );
    expect(replaced).toBe(true);
  });
  expect(through).toEqual([]);
});

test('the faces of a person are found alone, before statistics tell of any people', async () => {
  await using counter = await ReadCounter.open(['detections']);
  await insertPeople(counter, FACES);
  await counter.owner.query(`
    UPDATE detections SET identity_id = NULL;
    ANALYZE;
    UPDATE detections SET identity_id = id, review_status = 'confirmed'`);
  const through = await counter.tablesReadThrough(async ({ database }) => {
    const found = await database.withScope({ environmentId: 1 }, ({ followed }) =>
      followed.confirmed(FACES / 2, { after: 0, limit: 10 }),
    );
    expect(found).toEqual([FACES / 2]);
  });
  expect(through).toEqual([]);
});
