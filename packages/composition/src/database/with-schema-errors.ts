import { StartError } from '@sightline/platform/lifecycle/start-error';
import { SchemaMismatch } from '@sightline/postgres/schema-mismatch';

/**
 * Runs a migration or the check of a schema.
 *
 * @throws StartError if this release cannot use the schema; other errors of `work`
 */
export async function withSchemaErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SchemaMismatch)) throw error;
    throw new StartError(error.message, { cause: error });
  }
}
