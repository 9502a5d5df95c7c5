import { DomainError } from '@sightline/core/domain-error';
import type pg from 'pg';
import { drizzle, applyMigrations } from './drizzle.ts';
import { explainMigration } from './explain-migration.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { setRolePasswords } from './role-passwords.ts';
import { SchemaMismatch } from './schema-mismatch.ts';
import {
  isOfNewerRelease,
  knownMigrations,
  latestMigration,
  MIGRATIONS,
  requireServer,
} from './schema-version.ts';
import { IS_AHEAD, renumberOutbox } from './stores/renumber-outbox.ts';
import { withClient } from './with-client.ts';

/** An arbitrary number: the advisory lock of the process that migrates. */
const MIGRATION_LOCK = 7_446_114;

const SESSION = {
  applicationName: 'sightline migrate',
  // A migration has no time limit.
  settings: { statement_timeout: '0', transaction_timeout: '0', lock_timeout: '0' },
};

/** What was done. */
export interface Migrated {
  /** Names of the migrations, oldest first; none if the schema was up to date. */
  readonly applied: readonly string[];
  /** Roles whose password was set. */
  readonly passwords: readonly string[];
  /** The schema was that of a newer release, and was left as it is. */
  readonly isNewer: boolean;
}

/**
 * Brings the schema of the database up to date, as its owner, and makes sure that the service's roles
 * can log in. It may run at every start and in several processes at once; the migrations are applied
 * together or not at all. The schema of a newer release that carries this one stays as it is.
 *
 * @throws SchemaMismatch with a sentence if the schema does not carry this release any more, the server is too old
 *   for it, or the owner may not do what it takes; StoreUnavailable
 */
export async function migrate(connection: PostgresConnection, release?: string): Promise<Migrated> {
  return withClient(connection, SESSION, async (client) => {
    try {
      await requireServer(client);
      await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
      const before = (await latestMigration(client)) ?? 0;
      const isNewer = await isOfNewerRelease(client, before, release);
      if (!isNewer) await applyMigrations(drizzle({ client }), { migrationsFolder: MIGRATIONS });
      await revokeTemporaryTables(client);
      await renumberIfRestored(client);
      const passwords = await setRolePasswords(client, connection);
      const applied = (await knownMigrations()).filter(({ when }) => when > before);
      return { applied: applied.map(({ tag }) => tag), passwords, isNewer };
    } catch (error) {
      if (error instanceof SchemaMismatch || error instanceof DomainError) throw error;
      throw explainMigration(error, connection);
    }
  });
}

/**
 * After a logical restore into a cluster that has given out fewer transaction ids, what the database holds lies
 * in its future. No process uses it before it is migrated.
 */
async function renumberIfRestored(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isAhead: boolean }>(`SELECT (${IS_AHEAD}) AS "isAhead"`);
  if (!rows[0]!.isAhead) return;
  await client.query('BEGIN');
  await renumberOutbox({ query: async (text) => (await client.query(text)).rows as never[] });
  await client.query('COMMIT');
}

/**
 * In a new database every role may create temporary tables, also in a copy of a database where that
 * was revoked: the privilege belongs to the database.
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
