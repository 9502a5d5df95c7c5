import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import {
  createTestDatabase,
  type TestDatabase,
} from '@sightline/test/support/servers/test-database';
import { migrate } from './migrate.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { SchemaMismatch } from './schema-mismatch.ts';

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

  test('refuses the schema of a newer version and leaves it as it is', async () => {
    await migrate(database.connection);
    await query(
      database.connection,
      `INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('later', 99999999999999)`,
    );
    const before = await appliedMigrations(database.connection);
    await expect(migrate(database.connection)).rejects.toThrow(SchemaMismatch);
    await expect(migrate(database.connection)).rejects.toThrow(/newer version of Sightline/);
    expect(await appliedMigrations(database.connection)).toEqual(before);
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
