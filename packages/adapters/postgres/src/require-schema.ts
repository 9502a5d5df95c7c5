import type pg from 'pg';
import { toStoreFailure } from './doors/store-failure.ts';
import type { PostgresConnection, SessionOptions } from './postgres-connection.ts';
import { APP_ROLE, PLATFORM_ROLE } from './schema/policies.ts';
import { SchemaMismatch } from './schema-mismatch.ts';
import {
  knownMigrations,
  latestMigration,
  refuseNewerSchema,
  requireServer,
} from './schema-version.ts';
import { withClient } from './with-client.ts';

/** In ms, for queries that take a server no time; a start retries them. */
const ANSWER_MS = 5_000;

const session = (role?: string): SessionOptions => ({
  ...(role !== undefined && { role }),
  applicationName: 'sightline start',
  settings: {},
  answerTimeout: ANSWER_MS,
});

/**
 * Checks that the database can be used as it is, for processes that do not migrate.
 *
 * @throws SchemaMismatch with a sentence if it cannot; StoreUnavailable if it does not answer
 */
export async function requireSchema(connection: PostgresConnection): Promise<void> {
  try {
    await withClient(connection, session(PLATFORM_ROLE), requireCurrent);
    await withClient(connection, session(APP_ROLE), () => Promise.resolve());
  } catch (error) {
    if (!(error instanceof SchemaMismatch) || error.cause === undefined) {
      throw toStoreFailure(error);
    }
    throw (await explainByOwner(connection)) ?? error;
  }
}

async function requireCurrent(client: pg.Client): Promise<void> {
  await requireServer(client);
  const latest = await latestMigration(client);
  if (latest === 0) throw noSchema();
  if (latest === null || latest < (await knownMigrations()).at(-1)!.when) throw olderSchema();
  await refuseNewerSchema(latest);
}

/** Why the service's roles cannot log in, if the owner can and finds the reason. */
async function explainByOwner(connection: PostgresConnection): Promise<SchemaMismatch | null> {
  try {
    return await withClient(connection, session(), async (client) => {
      await requireServer(client);
      if ((await latestMigration(client)) === 0) return noSchema();
      return new SchemaMismatch(
        `The roles ${APP_ROLE} and ${PLATFORM_ROLE} cannot log in with the password of this process: run \`sightline migrate\` with the same SIGHTLINE_DATABASE_PASSWORD.`,
      );
    });
  } catch (error) {
    return error instanceof SchemaMismatch && error.cause === undefined ? error : null;
  }
}

function noSchema(): SchemaMismatch {
  return new SchemaMismatch(
    'The database has no schema of Sightline yet: run `sightline migrate`.',
  );
}

function olderSchema(): SchemaMismatch {
  return new SchemaMismatch(
    'The database has the schema of an older version of Sightline: run `sightline migrate`.',
  );
}
