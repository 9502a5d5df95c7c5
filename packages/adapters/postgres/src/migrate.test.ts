import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import {
  createTestDatabase,
  type TestDatabase,
} from '@sightline/test/support/servers/test-database';
import { applyMigrations, drizzle } from './drizzle.ts';
import { migrate } from './migrate.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { SchemaMismatch } from './schema-mismatch.ts';
import { requireSchema } from './require-schema.ts';
import { knownMigrations, MIGRATIONS, ownRelease } from './schema-version.ts';

/** What a process of an older release may still read or write. */
const TAKES = /^\s*(DROP (TABLE|VIEW|FUNCTION|TYPE)|ALTER TABLE \S+ (DROP COLUMN|RENAME))\b/im;
const SAYS = /^UPDATE "?installation"? SET "?least_release"? = '\d+\.\d+\.\d+'/im;

describe('migrate', () => {
  let database: TestDatabase;

  beforeEach(async () => {
    database = await createTestDatabase();
  });

  afterEach(async () => {
    await database[Symbol.asyncDispose]();
  });

  test('makes the schema, and a second time changes nothing', async () => {
    await migrate(database.connection);
    const first = await appliedMigrations(database.connection);
    await migrate(database.connection);
    expect(first.length).toBeGreaterThan(0);
    expect(await appliedMigrations(database.connection)).toEqual(first);
  });

  test('runs in several processes and for several databases at once', async () => {
    await using other = await createTestDatabase();
    await Promise.all(
      [database, other, database, other].map(({ connection }) => migrate(connection)),
    );
    const applied = await appliedMigrations(database.connection);
    expect(new Set(applied).size).toBe(applied.length);
    expect(await appliedMigrations(other.connection)).toEqual(applied);
  });

  test('keeps the active models and the jobs that make embeddings', async () => {
    const { connection } = database;
    await migrateBefore(connection, '0007_model-life');
    await query(
      connection,
      `INSERT INTO environments (name) VALUES ('home');
       INSERT INTO models (name, digest, task, version, license, commercial_use, provides, classes, status)
       SELECT name, sha256(name::bytea), task, '1', 'MIT', true, '{}', '{}', 'downloaded'
       FROM (VALUES ('old', 'face'), ('new', 'face'), ('things', 'object')) AS m (name, task);
       INSERT INTO active_models (task, model_id) SELECT task, id FROM models WHERE name <> 'old';
       INSERT INTO jobs (environment_id, type, status, total, done, params)
       SELECT e.id, 'reembed', j.status, 5, CASE WHEN j.status = 'done' THEN 0 ELSE 2 END, jsonb_build_object('model_id', m.id, 'faces', j.faces)
       FROM environments e, models m,
         (VALUES ('done', 'enrolled'), ('running', 'enrolled'), ('pending', 'all')) AS j (status, faces)
       WHERE m.name = 'new'`,
    );
    await migrate(connection);
    expect(await query(connection, 'SELECT name, status FROM models ORDER BY id')).toEqual([
      { name: 'old', status: 'downloaded' },
      { name: 'new', status: 'active' },
      { name: 'things', status: 'active' },
    ]);
    const behind = await query(
      connection,
      `SELECT m.name, j.status, j.params - 'modelId' AS rest FROM embedding_backlogs b
       JOIN jobs j ON j.id = b.job_id
       JOIN models m ON m.id = b.model_id AND m.id = (j.params -> 'modelId')::bigint`,
    );
    expect(behind).toEqual([{ name: 'new', status: 'pending', rest: { faces: 'enrolled' } }]);
    // What has not ended gets its items, as what is left may be anything.
    const jobs = 'SELECT status, total, done, listed_to::int, is_pruned FROM jobs ORDER BY status';
    expect(await query(connection, jobs)).toEqual([
      { status: 'done', total: 5, done: 0, listed_to: null, is_pruned: true },
      { status: 'pending', total: 3, done: 0, listed_to: 0, is_pruned: false },
      { status: 'pending', total: 3, done: 0, listed_to: 0, is_pruned: false },
    ]);
  });

  test('leaves the schema of a newer release as it is, and refuses one that does not carry this one', async () => {
    const { connection } = database;
    await migrate(connection, '0.9.0');
    await query(
      connection,
      `INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('later', 99999999999999)`,
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

  test('keeps a process of the release before running and starting while it migrates', async () => {
    const { connection } = database;
    await migrate(connection);
    const client = new pg.Client(connection);
    await client.connect();
    try {
      // What the next release does: it adds within a transaction, and has not ended.
      await client.query('BEGIN');
      await client.query('CREATE TABLE of_the_next_release (id bigint)');
      await client.query(
        `INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('next', 99999999999999)`,
      );
      await requireSchema(connection);
      await client.query('COMMIT');
      await requireSchema(connection);
    } finally {
      await client.end();
    }
  });

  test('a migration that takes something away says which release does without it', async () => {
    const names = (await knownMigrations()).map(({ tag }) => tag);
    expect(names).toContain('0022_least-release');
    const taking = await Promise.all(
      names.slice(names.indexOf('0022_least-release')).map(async (tag) => {
        const text = await readFile(join(MIGRATIONS, `${tag}.sql`), 'utf8');
        return TAKES.test(text) && !SAYS.test(text) ? [tag] : [];
      }),
    );
    expect(taking.flat()).toEqual([]);
    const last = await readFile(join(MIGRATIONS, '0021_sent-from-the-outbox.sql'), 'utf8');
    expect(TAKES.test(last)).toBe(true);
    expect(SAYS.test(`UPDATE installation SET least_release = '0.3.0';`)).toBe(true);
  });

  test('has the release of the product', async () => {
    const file = join(import.meta.dirname, '../../../../package.json');
    const { version } = JSON.parse(await readFile(file, 'utf8')) as { version: string };
    expect(await ownRelease()).toBe(version);
  });

  test('needs no superuser, but one who may make roles and owns the database', async () => {
    const owner = `owner_${process.pid}`;
    const { connection } = database;
    await query(
      connection,
      `CREATE ROLE ${owner} LOGIN CREATEROLE NOSUPERUSER PASSWORD ${pg.escapeLiteral(connection.password ?? '')}`,
    );
    try {
      // In a cluster where the roles are there already, their maker lends them.
      await migrate(connection);
      await query(connection, `GRANT sightline_app, sightline_platform TO ${owner} WITH SET TRUE`);
      await using fresh = await createTestDatabase();
      const { database: name } = fresh.connection;
      await query(fresh.connection, `ALTER DATABASE "${name}" OWNER TO ${owner}`);
      await migrate({ ...fresh.connection, user: owner });
      const applied = await appliedMigrations(fresh.connection);
      expect(applied).toEqual(await appliedMigrations(connection));
    } finally {
      await query(connection, `DROP ROLE ${owner}`);
    }
  });
});

/** Brings the schema to where it was before the migration with this tag. */
async function migrateBefore(connection: PostgresConnection, tag: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-migrations-'));
  const client = new pg.Client({ ...connection });
  try {
    await cp(MIGRATIONS, folder, { recursive: true });
    const file = join(folder, 'meta/_journal.json');
    const journal = JSON.parse(await readFile(file, 'utf8')) as { entries: { tag: string }[] };
    const end = journal.entries.findIndex((entry) => entry.tag === tag);
    const entries = journal.entries.slice(0, end);
    await writeFile(file, JSON.stringify({ ...journal, entries }));
    await client.connect();
    await applyMigrations(drizzle({ client }), { migrationsFolder: folder });
  } finally {
    await client.end();
    await rm(folder, { recursive: true });
  }
}

async function appliedMigrations(connection: PostgresConnection): Promise<string[]> {
  const rows = await query(connection, 'SELECT hash FROM drizzle.__drizzle_migrations ORDER BY id');
  return rows.map(({ hash }) => String(hash));
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
