import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import {
  createTestDatabase,
  type TestDatabase,
} from '@sightline/test/support/servers/test-database';
import { withClient } from '@sightline/test/support/servers/test-server';
import { applyMigrations } from './apply-migrations.ts';
import { migrate } from './migrate.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { SchemaBehind, SchemaMismatch } from './schema-mismatch.ts';
import { requireSchema } from './require-schema.ts';
import { knownMigrations, MIGRATIONS, ownRelease } from './schema-version.ts';

/**
 * Statements that remove objects which a process of an older release may still use. `ON CONFLICT` uses constraints and
 * indexes.
 */
const REMOVES =
  /\bDROP\s+(TABLE|VIEW|FUNCTION|TYPE|INDEX)\b|\bALTER\s+TABLE\b[^;]*\b(DROP(?!\s+NOT\s+NULL)|RENAME)\b/i;
const COMMENT = /--.*$/gm;
const NAMES_RELEASE = /^UPDATE "?installation"? SET "?least_release"? = '\d+\.\d+\.\d+'/im;

describe('migrate', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
  });

  afterEach(async () => {
    await database[Symbol.asyncDispose]();
  });

  test('creates the schema, and changes nothing the second time', async () => {
    await migrate(database.connection);
    const first = await appliedMigrations(database.connection);
    await migrate(database.connection);
    expect(first.length).toBeGreaterThan(0);
    expect(await appliedMigrations(database.connection)).toEqual(first);
  });

  test('may run in several processes and for several databases at the same time', async () => {
    await using other = await createTestDatabase();
    await Promise.all(
      [database, other, database, other].map(({ connection }) => migrate(connection)),
    );
    const applied = await appliedMigrations(database.connection);
    expect(new Set(applied).size).toBe(applied.length);
    expect(await appliedMigrations(other.connection)).toHaveLength(applied.length);
  });

  test('refuses a database that is older than the baseline in one sentence, without changing it', async () => {
    const { connection } = database;
    await query(
      connection,
      `CREATE SCHEMA drizzle;
       CREATE TABLE drizzle.__drizzle_migrations (id serial PRIMARY KEY, hash text NOT NULL, created_at bigint);
       INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('0000_roles', 1795273251583);
       CREATE TABLE environments (id bigint PRIMARY KEY)`,
    );
    const tables = 'SELECT oid::int, relname FROM pg_class WHERE oid >= 16384 ORDER BY oid';
    const before = await query(connection, tables);
    for (const attempt of [migrate, requireSchema]) {
      const refused = attempt(connection);
      await expect(refused).rejects.toThrow(SchemaMismatch);
      await expect(refused).rejects.not.toThrow(SchemaBehind);
      await expect(refused).rejects.toThrow(
        /^The database was created by a version of Sightline before its first release, and cannot be upgraded [^.]*\.$/,
      );
    }
    expect(await query(connection, tables)).toEqual(before);
  });

  test('keeps the schema of a newer release, and refuses a schema that does not support this release', async () => {
    const { connection } = database;
    await migrate(connection, '0.9.0');
    await query(
      connection,
      `INSERT INTO applied_migrations (name) VALUES ('9999_of-a-newer-release')`,
    );
    const before = await appliedMigrations(connection);
    const nothing = { applied: [], passwords: [], isNewer: true };
    expect(await migrate(connection, '0.9.0')).toEqual(nothing);
    await requireSchema(connection, '0.9.0');

    await query(connection, `UPDATE installation SET least_release = '0.10.0'`);
    const refused =
      /works with 0\.10\.0 and newer; this is 0\.9\.0: start 0\.10\.0 or a newer one\.$/;
    for (const attempt of [migrate, requireSchema]) {
      await expect(attempt(connection, '0.9.0')).rejects.toThrow(SchemaMismatch);
      await expect(attempt(connection, '0.9.0')).rejects.toThrow(refused);
    }
    expect(await migrate(connection, '0.10.0')).toEqual(nothing);
    await requireSchema(connection, '0.10.0');
    expect(await appliedMigrations(connection)).toEqual(before);
  });

  test('does not stop processes of the previous release from running and starting', async () => {
    const { connection } = database;
    await migrate(connection);
    const client = new pg.Client(connection);
    await client.connect();
    try {
      // This transaction simulates the migration of the next release while it is still in progress.
      await client.query('BEGIN');
      await client.query('CREATE TABLE of_the_next_release (id bigint)');
      await client.query(
        `INSERT INTO applied_migrations (name) VALUES ('9999_of-the-next-release')`,
      );
      await requireSchema(connection);
      await client.query('COMMIT');
      await requireSchema(connection);
    } finally {
      await client.end();
    }
  });

  test('does not deadlock with a transaction of an item that is in progress', async () => {
    const { connection } = database;
    await withClient(connection, (client) => applyMigrations(client, ['0000_baseline']));
    await withClient(connection, async (client) => {
      // With this limit the server would end this transaction, not the migration.
      await client.query(`SET deadlock_timeout = '10ms'; BEGIN; SELECT FROM models`);
      const migration = migrate(connection);
      while (!(await isWaiting(client))) await sleep(5);
      await client.query('UPDATE job_items SET token = NULL; COMMIT');
      await expect(migration).resolves.toMatchObject({ isNewer: false });
    });
  });

  test('restarts after a deadlock', async () => {
    const { connection } = database;
    await withClient(connection, (client) => applyMigrations(client, ['0000_baseline']));
    // A sequence counts attempts that were rolled back, too.
    await query(
      connection,
      `CREATE SEQUENCE attempts;
       CREATE FUNCTION lose_once() RETURNS event_trigger LANGUAGE plpgsql AS $$
       BEGIN
         IF nextval('attempts') = 1 THEN RAISE deadlock_detected; END IF;
       END $$;
       CREATE EVENT TRIGGER lose_once ON ddl_command_end WHEN TAG IN ('ALTER TABLE')
         EXECUTE FUNCTION lose_once()`,
    );
    const { applied } = await migrate(connection);
    const [baseline, ...later] = await knownMigrations();
    expect(applied).toEqual(later);
    const stored = await query(connection, 'SELECT name FROM applied_migrations ORDER BY 1');
    expect(stored.map(({ name }) => name)).toEqual([baseline, ...later]);
  });

  test('each migration that locks several tables begins by locking them', async () => {
    await withClient(database.connection, async (client) => {
      const [baseline, ...later] = await knownMigrations();
      await applyMigrations(client, [baseline!]);
      await client.query('BEGIN');
      const late: Record<string, readonly string[]> = {};
      for (const name of later) {
        const { rows } = await client.query<{ name: string }>(TABLES);
        const existing = rows.map((row) => row.name);
        let locked = await lockedTables(client);
        for (const file of (await readdir(join(MIGRATIONS, name))).sort()) {
          await client.query(await readFile(join(MIGRATIONS, name, file), 'utf8'));
          if (file === '00_locks.sql') locked = await lockedTables(client);
        }
        const added = (await lockedTables(client)).filter(
          (table) => existing.includes(table) && !locked.includes(table),
        );
        if (added.length > 1) late[name] = added;
      }
      expect(late).toEqual({});
    });
  });

  test('gives each environment rows of its own for the models that archives named', async () => {
    const { connection } = database;
    await withClient(connection, (client) => applyMigrations(client, ['0000_baseline']));
    await query(
      connection,
      `SET session_replication_role = replica;
       INSERT INTO environments (name) VALUES ('one'), ('two');
       INSERT INTO models (name, digest, task, version, license, provides, embedding_dim, classes, status)
         SELECT name, sha256('x'), 'face', 'unknown', 'unknown', '{}'::text[], 1, '{}'::text[], status
         FROM (VALUES ('seen', 'available'), ('own', 'active')) AS m (name, status)
         UNION ALL SELECT 'named ' || n, sha256('x'), 'face', 'unknown', 'unknown', '{}'::text[], 1, '{}'::text[], 'available'
         FROM generate_series(1, 13000) AS n;
       INSERT INTO identities (environment_id, id, type, label) OVERRIDING SYSTEM VALUE
         VALUES (2, 2, 'face', 'Ann');
       INSERT INTO detections (id, environment_id, source_image_id, type, bbox_x, bbox_y, bbox_w, bbox_h,
           confidence, review_status, decided_by, is_manual, crop_key, crop_bytes) OVERRIDING SYSTEM VALUE
         SELECT e, e, e, 'face', 1, 1, 1, 1, 0.5, 'pending', 'human', false, 'c' || e, 1
         FROM (VALUES (1), (2)) AS d (e);
       INSERT INTO face_vectors (environment_id, detection_id, model_id, vector)
         SELECT e, e, m, '\\x0000803f' FROM (VALUES (1, 1), (2, 1), (2, 2)) AS v (e, m);
       INSERT INTO face_references (environment_id, identity_id, detection_id, model_id)
         VALUES (2, 2, 2, 1);
       INSERT INTO identity_means (environment_id, identity_id, model_id, reference_count, sum)
         VALUES (2, 2, 1, 1, '\\x')`,
    );
    await migrate(connection);
    const models = `SELECT m.environment_id::int AS environment, m.name,
      (SELECT count(*)::int FROM face_vectors WHERE model_id = m.id) AS vectors,
      (SELECT count(*)::int FROM face_references WHERE model_id = m.id) AS "references",
      (SELECT count(*)::int FROM identity_means WHERE model_id = m.id) AS means
      FROM models m ORDER BY 1`;
    expect(await query(connection, models)).toEqual([
      { environment: 1, name: 'seen', vectors: 1, references: 0, means: 0 },
      { environment: 2, name: 'seen', vectors: 1, references: 1, means: 1 },
      { environment: null, name: 'own', vectors: 1, references: 0, means: 0 },
    ]);
  });

  test('counts the rows that are there on the days that they name', async () => {
    const { connection } = database;
    const known = await knownMigrations();
    const before = known.filter((name) => name < '0023');
    await withClient(connection, (client) => applyMigrations(client, before));
    await query(
      connection,
      `SET session_replication_role = replica;
       INSERT INTO environments (name) VALUES ('one'), ('two');
       INSERT INTO source_images (environment_id, id, digest, size_bytes, format, width, height, stored_width,
           stored_height, media_key, media_bytes, uploaded_at) OVERRIDING SYSTEM VALUE
         SELECT e, e, sha256('x'), 1, 'jpeg', 1, 1, 1, 1, 'm' || e, 1, '2026-10-31T23:59:59.999Z'
         FROM (VALUES (1), (2)) AS d (e);
       INSERT INTO detections (environment_id, id, source_image_id, type, bbox_x, bbox_y, bbox_w, bbox_h,
           confidence, review_status, decided_by, is_manual, crop_key, crop_bytes, detected_at) OVERRIDING SYSTEM VALUE
         SELECT 1, i, 1, CASE i WHEN 4 THEN 'object' ELSE 'face' END, 1, 1, 1, 1, 0.5, 'confirmed', 'human', false,
           'c' || i, 1, CASE i WHEN 1 THEN '2026-10-31T23:59:59.999Z' ELSE '2026-11-01T00:00:00Z' END::timestamptz
         FROM generate_series(1, 4) AS i`,
    );
    await migrate(connection);
    const counted = `SELECT environment_id::int AS e, counter, (date '1970-01-01' + subject_id::int)::text AS day,
        delta::int AS count
      FROM counter_deltas WHERE counter LIKE 'day.%' ORDER BY 1, 2, 3`;
    expect(await query(connection, counted)).toEqual([
      { e: 1, counter: 'day.faces', day: '2026-10-31', count: 1 },
      { e: 1, counter: 'day.faces', day: '2026-11-01', count: 2 },
      { e: 1, counter: 'day.images', day: '2026-10-31', count: 1 },
      { e: 1, counter: 'day.objects', day: '2026-11-01', count: 1 },
      { e: 2, counter: 'day.images', day: '2026-10-31', count: 1 },
    ]);
  });

  test('has the release of the product', async () => {
    const file = join(import.meta.dirname, '../../../../package.json');
    const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string };
    expect(await ownRelease()).toBe(version);
  });

  test('needs no superuser, only an owner who may create roles', async () => {
    const owner = `owner_${process.pid}`;
    const { connection } = database;
    await query(
      connection,
      `CREATE ROLE ${owner} LOGIN CREATEROLE NOSUPERUSER PASSWORD ${pg.escapeLiteral(connection.password ?? '')}`,
    );
    try {
      // The roles already exist in this cluster, so their creator grants them to the owner.
      await migrate(connection);
      await query(connection, `GRANT sightline_app, sightline_platform TO ${owner} WITH SET TRUE`);
      await using fresh = await createTestDatabase();
      const { database: name } = fresh.connection;
      await query(fresh.connection, `ALTER DATABASE "${name}" OWNER TO ${owner}`);
      await migrate({ ...fresh.connection, user: owner });
      const applied = await appliedMigrations(fresh.connection);
      expect(applied).toHaveLength((await knownMigrations()).length);
    } finally {
      await query(connection, `DROP ROLE ${owner}`);
    }
  });
});

test('a migration that removes something sets the oldest supported release', async () => {
  const [baseline, ...later] = await knownMigrations();
  expect(baseline).toBe('0000_baseline');
  const silent: string[] = [];
  for (const name of later) {
    const folder = join(MIGRATIONS, name);
    const files = (await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8'));
    if (removesSilently((await Promise.all(files)).join('\n'))) silent.push(name);
  }
  expect(silent).toEqual([]);
});

test.each([
  'ALTER TABLE "models" DROP COLUMN "source_url";',
  'ALTER TABLE models DROP source_url;',
  'ALTER TABLE models\n  ADD COLUMN size integer, -- not yet; later\n  DROP CONSTRAINT models_digest;',
  'ALTER TABLE models RENAME COLUMN a TO b;',
  'DROP INDEX CONCURRENTLY models_unpinned;',
  'CREATE TABLE t (id bigint); DROP TABLE models;',
])('%j removes something', (removal) => {
  expect(removesSilently(removal)).toBe(true);
  const named = `${removal}\nUPDATE installation SET least_release = '0.3.0';`;
  expect(removesSilently(named)).toBe(false);
});

test.each([
  'ALTER TABLE models ADD COLUMN source_url text;',
  'ALTER TABLE models ALTER COLUMN license DROP NOT NULL;',
  'CREATE TEMPORARY TABLE moved ON COMMIT DROP AS SELECT 1;',
  '-- A later release can DROP TABLE models.',
])('%j removes nothing', (addition) => {
  expect(removesSilently(addition)).toBe(false);
});

const TABLES = `SELECT relname AS name FROM pg_class
  WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace`;

/** The tables that the transaction has locked against writers. */
async function lockedTables(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `${TABLES} AND oid IN (
       SELECT relation FROM pg_locks WHERE pid = pg_backend_pid() AND mode IN
         ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'))`,
  );
  return rows.map(({ name }) => name);
}

/** Whether a transaction of another connection waits for a table. */
async function isWaiting(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query(
    `SELECT FROM pg_locks WHERE NOT granted AND locktype = 'relation'
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return rows.length > 0;
}

function removesSilently(migration: string): boolean {
  return REMOVES.test(migration.replaceAll(COMMENT, '')) && !NAMES_RELEASE.test(migration);
}

async function appliedMigrations(connection: PostgresConnection): Promise<string[]> {
  const rows = await query(
    connection,
    'SELECT name, applied_at FROM applied_migrations ORDER BY 1',
  );
  return rows.map(({ name, applied_at }) => `${String(name)} ${String(applied_at)}`);
}

async function query(
  connection: PostgresConnection,
  sql: string,
): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}
