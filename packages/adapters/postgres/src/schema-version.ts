import { readdir, readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type pg from 'pg';
import { compareReleases } from './compare-releases.ts';
import { SchemaMismatch } from './schema-mismatch.ts';

/** The folder of the migrations. Each migration is a folder of SQL files. */
export const MIGRATIONS = resolve(import.meta.dirname, '../migrations');
const LEAST_SERVER = 18;

/** The names of this release's migrations, in the order of their application. */
export async function knownMigrations(): Promise<readonly string[]> {
  return (await readdir(MIGRATIONS)).sort();
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
 * The names of the applied migrations; empty if the database has no schema of Sightline.
 *
 * @throws SchemaMismatch if the schema is older than the baseline
 */
export async function appliedMigrations(client: pg.Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ isApplied: boolean; isOlder: boolean }>(
    `SELECT to_regclass('public.applied_migrations') IS NOT NULL AS "isApplied",
            EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                    WHERE n.nspname = 'drizzle' AND c.relname = '__drizzle_migrations') AS "isOlder"`,
  );
  const { isApplied, isOlder } = rows[0]!;
  if (isOlder && !isApplied) throw new SchemaMismatch(BEFORE_BASELINE);
  if (!isApplied) return new Set();
  const applied = await client.query<{ name: string }>('SELECT name FROM applied_migrations');
  return new Set(applied.rows.map(({ name }) => name));
}

const BEFORE_BASELINE =
  'The database was created by a version of Sightline before its first release, and cannot be upgraded to this one: use an empty database or a new data folder.';

/**
 * Whether a newer release has migrated the database. Each release works with the schema of the next release, so that
 * processes of both run side by side during an upgrade or rollback. If a schema drops something, it names the oldest
 * release that it still supports.
 *
 * @param release the version of the process; default: the version of this code
 * @throws SchemaMismatch if the schema does not support this release
 */
export async function isOfNewerRelease(
  client: pg.Client,
  applied: ReadonlySet<string>,
  release?: string,
): Promise<boolean> {
  const last = (await knownMigrations()).at(-1)!;
  if (![...applied].some((name) => name > last)) return false;
  const { rows } = await client.query<{ least: string }>(
    'SELECT least_release AS least FROM installation',
  );
  const [{ least }, own] = [rows[0]!, release ?? (await ownRelease())];
  if (compareReleases(least, own) <= 0) return true;
  throw new SchemaMismatch(
    `The database was migrated by a newer release of Sightline, and works with ${least} and newer; this is ${own}: start ${least} or a newer one.`,
  );
}

export async function ownRelease(): Promise<string> {
  const text = await readFile(resolve(import.meta.dirname, '../package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
