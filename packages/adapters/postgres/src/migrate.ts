import { DomainError } from '@sightline/core/domain-error';
import type pg from 'pg';
import { applyMigrations } from './apply-migrations.ts';
import { restarting } from './doors/restarting.ts';
import { explainMigration } from './explain-migration.ts';
import type { PostgresConnection } from './postgres-connection.ts';
import { setRolePasswords } from './role-passwords.ts';
import { SchemaMismatch } from './schema-mismatch.ts';
import {
  appliedMigrations,
  isOfNewerRelease,
  knownMigrations,
  requireServer,
} from './schema-version.ts';
import { IS_AHEAD, renumberOutbox } from './stores/events/renumber-outbox.ts';
import { requireRoles, rolesOf, type ServiceRoles } from './service-roles.ts';
import { withClient } from './with-client.ts';

/** The advisory lock of a migrating process. The number is arbitrary. */
const MIGRATION_LOCK = 7_446_114;

const SESSION = {
  applicationName: 'sightline migrate',
  // Zero turns off a time limit, because a migration may take long.
  settings: { statement_timeout: '0', transaction_timeout: '0', lock_timeout: '0' },
};

export interface Migrated {
  /** The names of the applied migrations, oldest first; empty if the schema was up to date. */
  readonly applied: readonly string[];
  readonly passwords: readonly string[];
  /** Whether the schema belongs to a newer release and therefore was not changed. */
  readonly isNewer: boolean;
}

/**
 * Updates the schema as the owner of the database, and makes sure that the service's roles can log in. It may run at
 * every start, and in several processes at once. Either all pending migrations are applied or none; a deadlock with
 * another transaction restarts them. The schema of a newer release stays unchanged if it supports this release.
 *
 * @throws SchemaMismatch with an explanation if the schema does not support this release, the server is too old, or the
 *   owner lacks a privilege; StoreUnavailable
 */
export async function migrate(connection: PostgresConnection, release?: string): Promise<Migrated> {
  return withClient(connection, SESSION, async (client) => {
    try {
      await requireServer(client);
      await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
      const before = await appliedMigrations(client);
      const isNewer = await isOfNewerRelease(client, before, release);
      const roles = rolesOf(connection);
      await requireRoles(client, roles);
      const missing = (await knownMigrations()).filter((name) => !before.has(name));
      await restarting(() => applyMigrations(client, missing, roles));
      await revokeTemporaryTables(client, roles);
      if (connection.roleSuffix !== undefined) await admitOnly(client, roles);
      await renumberIfRestored(client);
      const passwords = await setRolePasswords(client, connection);
      return { applied: missing, passwords, isNewer };
    } catch (error) {
      if (error instanceof SchemaMismatch || error instanceof DomainError) throw error;
      throw explainMigration(error, connection);
    }
  });
}

/**
 * Renumbers the events after a dump was restored into a cluster with lower transaction ids. Otherwise the ids in the
 * outbox would lie in the future of the cluster. No process uses the database before the migration ends, so renumbering
 * is safe.
 */
async function renumberIfRestored(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ isAhead: boolean }>(`SELECT (${IS_AHEAD}) AS "isAhead"`);
  if (!rows[0]!.isAhead) return;
  await client.query('BEGIN');
  await renumberOutbox({ query: async (text) => (await client.query(text)).rows as never[] });
  await client.query('COMMIT');
}

/**
 * Revokes the right to create temporary tables. Every role has that right in a new database, and again in a copy of a
 * database, because privileges on a database are not copied.
 */
async function revokeTemporaryTables(client: pg.Client, { app }: ServiceRoles): Promise<void> {
  await client.query(`
    DO $$
    BEGIN
      IF has_database_privilege('${app}', current_database(), 'TEMPORARY') THEN
        EXECUTE format('REVOKE TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
      END IF;
    END
    $$`);
}

/** Lets only the roles of this installation, the owner and superusers connect to the database. */
async function admitOnly(client: pg.Client, { app, platform }: ServiceRoles): Promise<void> {
  await client.query(`
    DO $$
    BEGIN
      EXECUTE format('GRANT CONNECT ON DATABASE %I TO ${app}, ${platform}', current_database());
      EXECUTE format('REVOKE CONNECT ON DATABASE %I FROM PUBLIC', current_database());
    END
    $$`);
}
