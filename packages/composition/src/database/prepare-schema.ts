import { StartError } from '@sightline/platform/lifecycle/start-error';
import { migrate } from '@sightline/postgres/migrate';
import type { PostgresConnection } from '@sightline/postgres/postgres-connection';
import { requireSchema } from '@sightline/postgres/require-schema';
import { SchemaMismatch } from '@sightline/postgres/schema-mismatch';

/**
 * `migrate`: this process brings the schema up to date if its login is allowed to. `require`: it only
 * checks the version. `as-is`: it does neither.
 */
export type SchemaDuty = 'migrate' | 'require' | 'as-is';

/** @throws StartError if the schema has another version; StoreUnavailable */
export async function prepareSchema(
  connection: PostgresConnection,
  duty: SchemaDuty,
): Promise<void> {
  if (duty === 'as-is') return;
  try {
    if (duty === 'require') await requireSchema(connection);
    else await migrateIfAllowed(connection);
  } catch (error) {
    if (!(error instanceof SchemaMismatch)) throw error;
    throw new StartError(error.message, { cause: error });
  }
}

/** A login without the right to migrate can use a schema that is already up to date. */
async function migrateIfAllowed(connection: PostgresConnection): Promise<void> {
  try {
    await migrate(connection);
  } catch (error) {
    if (!(error instanceof SchemaMismatch)) throw error;
    await requireSchema(connection).catch(() => {
      throw error;
    });
  }
}
