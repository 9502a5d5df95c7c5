import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { JOB_TYPES } from '@sightline/core/jobs/job';
import type { VectorKind, VectorSpace } from '@sightline/core/vectors/vector-index';
import type { PostgresStores } from '@sightline/postgres/open-postgres';
import { INSERT_FACES, SCOPED_TABLES } from '../../support/fixtures/face-rows.ts';
import { ReadCounter } from '../../support/fixtures/read-counter.ts';
import { scopedReads } from '../../support/fixtures/scoped-reads.ts';

/** The number of rows of each kind; half of them belong to another environment. */
const ROWS = 20_000;
const TABLES = [
  ...SCOPED_TABLES,
  'vector_changes',
  'index_readers',
  'idempotency_keys',
  'jobs',
  'job_items',
  'job_turns',
  'embedding_backlogs',
  'keys',
  'outbox',
];

let counter: ReadCounter;
const environmentId = 1;
const modelId = 1;
/** An id from the middle of the environment's ids. */
const id = ROWS / 2;

beforeAll(async () => {
  counter = await ReadCounter.open(TABLES);
  await counter.owner.query(`
    INSERT INTO environments (name) VALUES ('ours'), ('theirs');
    INSERT INTO models (name, digest, task, version, license, commercial_use, provides,
      embedding_dim, classes, status)
    VALUES ('m', sha256('m'), 'face', '1', 'MIT', true, '{}', 2, '{}', 'downloaded');
    SET session_replication_role = replica;
    CREATE TEMPORARY TABLE n AS
      SELECT i AS i, 1 + i % 2 AS e FROM generate_series(1, ${ROWS}) AS i;
    ${INSERT_FACES}
    INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta, is_folded)
      SELECT e, c, i, 0, 1, true FROM n, (VALUES ('identity.detections'), ('identity.embeddings')) AS k (c);
    INSERT INTO index_readers (name, filled_at) SELECT 'reader ' || i, now() FROM generate_series(1, 5) AS i;
    INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
      SELECT e, 1 + i % 5, 1, CASE WHEN i < 100 THEN 'references' ELSE 'faces' END, i FROM n;
    INSERT INTO idempotency_keys (environment_id, key, fingerprint, token, lease_until, status, body)
      SELECT e, 'k' || i, 'f', uuidv7(), now(), 200, '{}' FROM n;
    INSERT INTO jobs (environment_id, type, status, total, params)
      SELECT e, 'reprocess', 'done', 1, '{}' FROM n;
    INSERT INTO job_items (environment_id, job_id, index, input, state) SELECT e, i, 0, '{}', 'done' FROM n;
    INSERT INTO job_turns (environment_id, served_at) SELECT DISTINCT e, now() FROM n;
    INSERT INTO embedding_backlogs (environment_id, model_id, job_id) SELECT e, i, i FROM n;
    INSERT INTO keys (environment_id, label, "right", is_admin, prefix, hash)
      SELECT e, 'l', 'full', false, 'p' || i, sha256(i::text::bytea) FROM n;
    INSERT INTO outbox (environment_id, event, version, data)
      SELECT e, 'identity.deleted', 1, '{}' FROM n;
    RESET session_replication_role;
    DROP TABLE n;
    ANALYZE`);
});

afterAll(async () => {
  await counter[Symbol.asyncDispose]();
});

test.each(Object.entries(scopedReads({ id, modelId })))('%s uses an index', async (_, read) => {
  const through = await counter.tablesReadThrough(({ database: door }) =>
    door.withScope({ environmentId }, read),
  );
  expect(through).toEqual([]);
});

const space = (kind: VectorKind): VectorSpace => ({ environmentId, modelId, kind, dimension: 2 });
const KINDS: readonly VectorKind[] = ['faces', 'references', 'means'];

const PLATFORM_READS: Readonly<Record<string, (stores: PostgresStores) => Promise<unknown>>> = {
  'keys.byPrefix': ({ keys }) => keys.byPrefix(`p${id}`),
  'keys.touch': ({ keys }) => keys.touch(new Map([[id, new Date()]])),
  'jobs.claim': ({ jobs }) => jobs.claim(['reembed']),
  'jobs.claim of all types': ({ jobs }) => jobs.claim(JOB_TYPES),
  'jobs.state': ({ jobs }) => jobs.state(),
  'jobs.pruneResults': ({ jobs }) => jobs.pruneResults(),
  'changeLog.changes': ({ changeLog }) => changeLog.changes(100),
  'changeLog.acknowledge': async ({ changeLog }) =>
    changeLog.acknowledge(await changeLog.changes(100)),
  'indexStatus.forgetReaders': ({ indexStatus }) =>
    indexStatus.forgetReaders({ own: 1e6, shared: 1e6 }),
  'indexSource.possibleSpaces': ({ indexSource }) => indexSource.possibleSpaces(),
  'indexSource.points': async ({ indexSource }) => {
    for (const kind of KINDS) await indexSource.points(space(kind), [id, id + 2]);
  },
  'indexSource.scan': async ({ indexSource }) => {
    const after = { environmentId, id, modelId };
    for (const kind of KINDS) await indexSource.scan(kind, { after, limit: 50 });
  },
  'indexSource.scan of the last environment': async ({ indexSource }) => {
    const after = { environmentId: environmentId + 1, id, modelId };
    for (const kind of KINDS) await indexSource.scan(kind, { after, limit: 50 });
  },
  'indexSource.list': async ({ indexSource }) => {
    for (const kind of KINDS) await indexSource.list(space(kind), { after: id, limit: 50 });
  },
  'maintenance.foldCounters': async ({ maintenance }) => {
    await counter.owner
      .query(`INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
      SELECT 1, 'identity.embeddings', i, 0, 1 FROM generate_series(1, 20) AS i`);
    await maintenance.foldCounters();
  },
  'maintenance.deletingIdentities': ({ maintenance }) =>
    maintenance.deletingIdentities({ limit: 10, idleSeconds: 0 }),
  'maintenance.outboxState': ({ maintenance }) => maintenance.outboxState(),
  'maintenance.orphans': ({ maintenance }) => maintenance.orphans(['m1', 'o1', 'c1', 'x']),
  'maintenance.mediaKeys': ({ maintenance }) => maintenance.mediaKeys({ after: 'm5', limit: 50 }),
  'maintenance.pruneIdempotencyKeys': ({ maintenance }) =>
    maintenance.pruneIdempotencyKeys(100_000),
  'idempotency.claim': ({ idempotency }) =>
    idempotency.claim(
      { environmentId },
      { key: `key-1 k${id}`, formerKey: `k${id}`, fingerprint: new Uint8Array(1) },
    ),
};

test.each(Object.entries(PLATFORM_READS))('%s uses an index', async (_, read) => {
  expect(await counter.tablesReadThrough(read)).toEqual([]);
});

test('a read that scans a table is detected', async () => {
  const through = await counter.tablesReadThrough(({ database: door }) =>
    door.withScope({ environmentId }, ({ sources }) => sources.count({ type: 'face' })),
  );
  expect(through).toEqual(['source_images']);
});
