import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Stores } from '@sightline/core/database/database';
import { digestOf } from '@sightline/core/media/digest-of';
import type { VectorKind, VectorSpace } from '@sightline/core/vectors/vector-index';
import { createLogger } from '@sightline/platform/logging/logger';
import { openPostgres, type PostgresStores } from '@sightline/postgres/open-postgres';
import pg from 'pg';
import { createMigratedDatabase } from '../../support/servers/migrated-database.ts';
import type { TestDatabase } from '../../support/servers/test-database.ts';

/** Rows of each kind; half of them are of another environment. */
const ROWS = 20_000;
/** A read that uses an index reads fewer rows than this. */
const FEW = 1000;

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
  'vector_changes',
  'index_readers',
  'idempotency_keys',
  'jobs',
  'embedding_backlogs',
  'keys',
];

let database: TestDatabase;
let owner: pg.Client;
let environmentId: number;
let modelId: number;
/** From the middle of the environment's. */
let id: number;

beforeAll(async () => {
  database = await createMigratedDatabase();
  owner = new pg.Client(database.connection);
  await owner.connect();
  // A vacuum in the meantime would let an index alone answer what is to go through a table.
  for (const table of TABLES) {
    await owner.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
  }
  await owner.query(`
    INSERT INTO environments (name) VALUES ('ours'), ('theirs');
    INSERT INTO models (name, digest, task, version, license, commercial_use, provides,
      embedding_dim, classes, status)
    VALUES ('m', sha256('m'), 'face', '1', 'MIT', true, '{}', 2, '{}', 'downloaded');
    SET session_replication_role = replica;
    CREATE TEMPORARY TABLE n AS
      SELECT i AS i, 1 + i % 2 AS e FROM generate_series(1, ${ROWS}) AS i;
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
    INSERT INTO counter_deltas (environment_id, counter, subject_id, model_id, delta)
      SELECT e, c, i, 0, 1 FROM n, (VALUES ('identity.detections'), ('identity.embeddings')) AS k (c);
    INSERT INTO index_readers (name, filled_at) SELECT 'reader ' || i, now() FROM generate_series(1, 5) AS i;
    INSERT INTO vector_changes (environment_id, reader_id, model_id, kind, entity_id)
      SELECT e, 1 + i % 5, 1, CASE WHEN i < 100 THEN 'references' ELSE 'faces' END, i FROM n;
    INSERT INTO idempotency_keys (environment_id, key, fingerprint, token, lease_until, status, body)
      SELECT e, 'k' || i, 'f', uuidv7(), now(), 200, '{}' FROM n;
    INSERT INTO jobs (environment_id, type, status, total, params)
      SELECT e, 'reembed', 'done', 1, '{}' FROM n;
    INSERT INTO embedding_backlogs (environment_id, model_id, job_id) SELECT e, i, i FROM n;
    INSERT INTO keys (environment_id, label, "right", is_admin, prefix, hash)
      SELECT e, 'l', 'full', false, 'p' || i, sha256(i::text::bytea) FROM n;
    RESET session_replication_role;
    DROP TABLE n;
    ANALYZE`);
  environmentId = 1;
  modelId = 1;
  id = ROWS / 2;
}, 300_000);

afterAll(async () => {
  await owner.end();
  await database[Symbol.asyncDispose]();
});

/** How many rows were read of each table, by a scan of all or by an index. */
async function rowsRead(): Promise<ReadonlyMap<string, number>> {
  const { rows } = await owner.query<{ name: string; rows: string }>(
    `SELECT relname AS name, seq_tup_read + coalesce(idx_tup_fetch, 0) AS rows
     FROM pg_stat_user_tables WHERE relname = any($1)`,
    [TABLES],
  );
  return new Map(rows.map(({ name, rows: read }) => [name, Number(read)]));
}

/** Tables of which the work reads many rows. */
async function tablesReadThrough(
  work: (stores: PostgresStores) => Promise<unknown>,
): Promise<readonly string[]> {
  const before = await rowsRead();
  const stores = openPostgres(database.connection, {
    logger: createLogger({ level: 'silent' }),
    reader: { kind: 'own', name: 'reader 1' },
  });
  try {
    await work(stores);
  } finally {
    await stores[Symbol.asyncDispose]();
  }
  await untilSessionsEnded();
  const after = await rowsRead();
  return TABLES.filter((table) => after.get(table)! - before.get(table)! >= FEW);
}

/** A session adds what it has read to the statistics before it is gone. */
async function untilSessionsEnded(): Promise<void> {
  for (;;) {
    const { rows } = await owner.query<{ open: boolean }>(
      `SELECT EXISTS (
         SELECT FROM pg_stat_activity
         WHERE datname = current_database() AND backend_type = 'client backend'
           AND pid <> pg_backend_pid()) AS open`,
    );
    if (!rows[0]!.open) return;
  }
}

const page = { after: null, limit: 50 };

const READS: Readonly<Record<string, (stores: Stores) => Promise<unknown>>> = {
  'sources.byId': ({ sources }) => sources.byId(id),
  'sources.byDigest': ({ sources }) => sources.byDigest('a'.repeat(64)),
  'sources.byIds': ({ sources }) => sources.byIds([id, id + 2]),
  'sources.ids of an external reference': ({ sources }) =>
    sources.ids({ externalRef: `ref${id}` }, 'newest'),
  'sources.ids of a time': ({ sources }) =>
    sources.ids({ since: new Date(Date.now() - 600_000) }, 'oldest'),
  'sources.ids of an identity': ({ sources }) => sources.ids({ identityIds: [id] }, 'newest'),
  'sources.withoutDetections': ({ sources }) => sources.withoutDetections([id, id + 2]),
  'detections.byId': ({ detections }) => detections.byId(id),
  'detections.byIds': ({ detections }) => detections.byIds([id, id + 2]),
  'detections.ofSource': ({ detections }) => detections.ofSource(id),
  'detections.ofDigest': ({ detections }) => detections.ofDigest(digestOf(Buffer.from(`${id}`))),
  'detections.ofIdentity': ({ detections }) => detections.ofIdentity(id, 10),
  'identities.byIds': ({ identities }) => identities.byIds([id, id + 2]),
  'identities.byLabels': ({ identities }) => identities.byLabels('face', [`somebody ${id}`]),
  'identities.list': ({ identities }) => identities.list({}, page),
  'identities.list after one': ({ identities }) =>
    identities.list({}, { after: { label: 'somebody 5', type: 'face', id: 5 }, limit: 50 }),
  'identities.list of an external reference': ({ identities }) =>
    identities.list({ externalRef: `ref${id}` }, page),
  'identities.details': ({ identities }) => identities.details(id, modelId),
  'references.byId': ({ references }) => references.byId(id),
  'references.list': ({ references }) => references.list({}, { before: null, limit: 50 }),
  'references.list of an identity': ({ references }) =>
    references.list({ identityId: id }, { before: null, limit: 50 }),
  'references.ofDetections': ({ references }) => references.ofDetections([id, id + 2]),
  'gallery.tail': ({ gallery }) => gallery.tail(modelId, 'references', 100),
  'gallery.references': ({ gallery }) => gallery.references(modelId, [id, id + 2]),
  'gallery.referencesOf': ({ gallery }) => gallery.referencesOf(modelId, [id, id + 2]),
  'gallery.isBehind': ({ gallery }) => gallery.isBehind(modelId),
  'gallery.means': ({ gallery }) => gallery.means(modelId, [id, id + 2]),
  'gallery.embeddings': ({ gallery }) => gallery.embeddings(modelId, [id, id + 2]),
  'gallery.rejections': ({ gallery }) => gallery.rejections([id, id + 2]),
  'gallery.suggestions': ({ gallery }) => gallery.suggestions(modelId, [id, id + 2]),
  'statistics.totals': ({ statistics }) => statistics.totals(),
};

test.each(Object.entries(READS))('%s uses an index', async (_, read) => {
  const through = await tablesReadThrough(({ database: door }) =>
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
  'jobs.unfinished': ({ jobs }) => jobs.unfinished(['reembed']),
  'changeLog.changes': ({ changeLog }) => changeLog.changes(100),
  'changeLog.acknowledge': async ({ changeLog }) =>
    changeLog.acknowledge(await changeLog.changes(100)),
  'indexStatus.forgetReaders': ({ indexStatus }) =>
    indexStatus.forgetReaders({ own: 1e6, shared: 1e6 }),
  'indexSource.spaces': ({ indexSource }) => indexSource.spaces(),
  'indexSource.possibleSpaces': ({ indexSource }) => indexSource.possibleSpaces(),
  'indexSource.points': async ({ indexSource }) => {
    for (const kind of KINDS) await indexSource.points(space(kind), [id, id + 2]);
  },
  'indexSource.scan': async ({ indexSource }) => {
    for (const kind of KINDS) await indexSource.scan(space(kind), { after: id, limit: 50 });
  },
  'indexSource.list': async ({ indexSource }) => {
    for (const kind of KINDS) await indexSource.list(space(kind), { after: id, limit: 50 });
  },
  'maintenance.orphans': ({ maintenance }) => maintenance.orphans(['m1', 'o1', 'c1', 'x']),
  'maintenance.mediaKeys': ({ maintenance }) => maintenance.mediaKeys({ after: 'm5', limit: 50 }),
  'maintenance.pruneIdempotencyKeys': ({ maintenance }) =>
    maintenance.pruneIdempotencyKeys(100_000),
  'idempotency.claim': ({ idempotency }) =>
    idempotency.claim({ environmentId }, { key: `k${id}`, fingerprint: new Uint8Array(1) }),
};

test.each(Object.entries(PLATFORM_READS))('%s uses an index', async (_, read) => {
  expect(await tablesReadThrough(read)).toEqual([]);
});

test('a read that scans a table is detected', async () => {
  const through = await tablesReadThrough(({ database: door }) =>
    door.withScope({ environmentId }, ({ sources }) => sources.ids({}, 'newest')),
  );
  expect(through).toEqual(['source_images']);
});
