import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { MIGRATIONS } from './schema-version.ts';
import { rolesOf, type ServiceRoles, withRoles } from './service-roles.ts';

/**
 * Applies the migrations in the given order, in one transaction. A migration is a folder of SQL files, which name the
 * roles of an installation without a suffix.
 */
export async function applyMigrations(
  client: pg.Client,
  names: readonly string[],
  roles: ServiceRoles = rolesOf({}),
): Promise<void> {
  await client.query('BEGIN');
  try {
    for (const name of names) {
      const folder = join(MIGRATIONS, name);
      for (const file of (await readdir(folder)).sort()) {
        await client.query(withRoles(await readFile(join(folder, file), 'utf8'), roles));
      }
      await client.query('INSERT INTO applied_migrations (name) VALUES ($1)', [name]);
    }
    await client.query('COMMIT');
  } catch (error) {
    // A rollback fails only if the connection is lost, and then the server rolls back.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
