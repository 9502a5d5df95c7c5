import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate as applyMigrations } from 'drizzle-orm/node-postgres/migrator';
import pg from 'pg';
import { clientConfig, type PostgresConnection } from './postgres-connection.ts';
import { SchemaMismatch } from './schema-mismatch.ts';

const MIGRATIONS = resolve(import.meta.dirname, '../migrations');
/** Any number: whoever migrates a database holds the lock of this one. */
const MIGRATION_LOCK = 7_446_114;
const LEAST_SERVER = 18;

/**
 * Brings the database's schema up to date, as its owner. It may run at every start and in several
 * processes at once; all of it happens, or nothing.
 *
 * @throws SchemaMismatch if the schema is of a newer version, or the server too old for it
 */
export async function migrate(connection: PostgresConnection): Promise<void> {
  const client = new pg.Client(
    clientConfig(connection, {
      applicationName: 'sightline migrate',
      // A migration takes the time that it takes.
      settings: { statement_timeout: '0', transaction_timeout: '0', lock_timeout: '0' },
    }),
  );
  await client.connect();
  try {
    await requireServer(client);
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await refuseNewerSchema(client);
    await applyMigrations(drizzle({ client }), { migrationsFolder: MIGRATIONS });
    await revokeTemporaryTables(client);
  } finally {
    await client.end();
  }
}

async function requireServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ version: string; major: number }>(
    `SELECT current_setting('server_version') AS version,
            current_setting('server_version_num')::int / 10000 AS major`,
  );
  const { version, major } = rows[0]!;
  if (major >= LEAST_SERVER) return;
  throw new SchemaMismatch(
    `The database server is Postgres ${version}; this version of Sightline needs ${LEAST_SERVER} or newer.`,
  );
}

async function refuseNewerSchema(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ present: boolean }>(
    `SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS present`,
  );
  if (!rows[0]!.present) return;
  const applied = await client.query<{ latest: string | null }>(
    'SELECT max(created_at) AS latest FROM drizzle.__drizzle_migrations',
  );
  if (Number(applied.rows[0]!.latest) <= (await latestKnownMigration())) return;
  throw new SchemaMismatch(
    'The database was used by a newer version of Sightline, whose schema this version does not know: start that version or a newer one.',
  );
}

/** When the last migration of this version was made, in milliseconds. */
async function latestKnownMigration(): Promise<number> {
  const journal = JSON.parse(await readFile(join(MIGRATIONS, 'meta/_journal.json'), 'utf8')) as {
    entries: { when: number }[];
  };
  return Math.max(...journal.entries.map(({ when }) => when));
}

/**
 * Everybody may make temporary tables in a new database, also in a copy of one where that was taken
 * back: it is a right on the database itself.
 */
async function revokeTemporaryTables(client: pg.Client): Promise<void> {
  await client.query(`
    DO $$
    BEGIN
      IF has_database_privilege('sightline_app', current_database(), 'TEMPORARY') THEN
        EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
      END IF;
    END
    $$`);
}
