import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ReadCounter } from '../../support/fixtures/read-counter.ts';
import { scopedReads } from '../../support/fixtures/scoped-reads.ts';

/** Rows of each kind that the large environment has. */
const ROWS = 20_000;
const SMALL_ENVIRONMENTS = 3000;
const LARGE = 1;
const SMALL = 7;

const TABLES = [
  'source_images',
  'detections',
  'identities',
  'face_vectors',
  'face_references',
  'identity_means',
  'suggestions',
  'rejected_pairs',
  'counter_deltas',
];

let counter: ReadCounter;

/** The first rows, up to ROWS, are of the large environment, two of each of the others follow. */
beforeAll(async () => {
  counter = await ReadCounter.open(TABLES);
  await counter.owner.query(`
    INSERT INTO environments (name) SELECT 'e' || i FROM generate_series(0, ${SMALL_ENVIRONMENTS}) AS i;
    INSERT INTO models (name, digest, task, version, license, commercial_use, provides,
      embedding_dim, classes, status)
    VALUES ('m', sha256('m'), 'face', '1', 'MIT', true, '{}', 2, '{}', 'active');
    SET session_replication_role = replica;
    CREATE TEMPORARY TABLE n AS
      SELECT i, CASE WHEN i <= ${ROWS} THEN ${LARGE} ELSE 2 + (i - ${ROWS}) / 2 END AS e
      FROM generate_series(1, ${ROWS + 2 * SMALL_ENVIRONMENTS - 2}) AS i;
    INSERT INTO source_images OVERRIDING SYSTEM VALUE
      SELECT e, i, sha256(i::text::bytea), 9, 'jpeg', 9, 9, 9, 9, 'm' || i, 9, 'o' || i, 'ref' || i,
        now() - make_interval(mins => i)
      FROM n;
    INSERT INTO identities OVERRIDING SYSTEM VALUE
      SELECT e, i, 'face', 'somebody ' || i, 'ref' || i, null, now() FROM n;
    INSERT INTO detections (id, environment_id, source_image_id, type, bbox_x, bbox_y, bbox_w, bbox_h,
      confidence, identity_id, review_status, decided_by, is_manual, crop_key, crop_bytes)
      OVERRIDING SYSTEM VALUE
      SELECT i, e, i, 'face', 1, 1, 1, 1, 0.5, i, 'confirmed', 'human', false, 'c' || i, 1 FROM n;
    INSERT INTO face_vectors SELECT e, i, 1, '\\x0000803f00000000', now() FROM n;
    INSERT INTO face_references OVERRIDING SYSTEM VALUE SELECT e, i, i, i, 1, now() FROM n;
    INSERT INTO identity_means
      SELECT e, i, 1, 1, decode(repeat('00', 16), 'hex'), '\\x0000803f00000000' FROM n;
    INSERT INTO suggestions SELECT e, i, 1, i, 0.5 FROM n;
    INSERT INTO rejected_pairs SELECT e, i, i FROM n;
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
