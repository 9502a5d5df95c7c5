import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import { compareReleases } from './compare-releases.ts';
import { SchemaMismatch } from './schema-mismatch.ts';

export const MIGRATIONS = resolve(import.meta.dirname, '../migrations');
const LEAST_SERVER = 18;

interface KnownMigration {
  readonly tag: string;
  /** In ms; ascending. */
  readonly when: number;
}

/** All migrations of this version, oldest first. */
export async function knownMigrations(): Promise<readonly KnownMigration[]> {
  const text = await readFile(join(MIGRATIONS, 'meta/_journal.json'), 'utf8');
  return (JSON.parse(text) as { entries: KnownMigration[] }).entries;
}

/** @throws SchemaMismatch if the server is too old */
export async function requireServer(client: pg.Client): Promise<void> {
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

/**
 * The `when` of the last applied migration, in ms: 0 if there is none; null if the role may not read
 * it, as before the migration that grants that.
 */
export async function latestMigration(client: pg.Client): Promise<number | null> {
  const { rows } = await client.query<{ readable: boolean }>(
    `SELECT has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') AS readable
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'drizzle' AND c.relname = '__drizzle_migrations'`,
  );
  if (rows.length === 0) return 0;
  if (!rows[0]!.readable) return null;
  const applied = await client.query<{ latest: string | null }>(
    'SELECT max(created_at) AS latest FROM drizzle.__drizzle_migrations',
  );
  return Number(applied.rows[0]!.latest);
}

/**
 * Whether a newer release has migrated the database. Each release works with the schema of the next one, so that
 * processes of both run during an upgrade and after a rollback; a schema that takes away what a release needs says so.
 *
 * @param release of the process; that of this code if absent
 * @throws SchemaMismatch if the schema does not carry this release any more
 */
export async function isOfNewerRelease(
  client: pg.Client,
  latest: number,
  release?: string,
): Promise<boolean> {
  if (latest <= (await knownMigrations()).at(-1)!.when) return false;
  const { rows } = await client.query<{ least: string }>(
    'SELECT least_release AS least FROM installation',
  );
  const [{ least }, own] = [rows[0]!, release ?? (await ownRelease())];
  if (compareReleases(least, own) <= 0) return true;
  throw new SchemaMismatch(
    `The database was migrated by a newer release of Sightline, and works with ${least} and newer; this is ${own}: start ${least} or a newer one.`,
  );
}

/** The version of Sightline to which this code belongs. */
export async function ownRelease(): Promise<string> {
  const text = await readFile(resolve(import.meta.dirname, '../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
