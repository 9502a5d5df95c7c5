import { isErrorLike } from '@sightline/platform/errors/error-like';
import type pg from 'pg';
import { toStoreFailure } from './doors/store-failure.ts';
import type { PostgresConnection, SessionOptions } from './postgres-connection.ts';
import { SchemaBehind, SchemaMismatch } from './schema-mismatch.ts';
import {
  appliedMigrations,
  isOfNewerRelease,
  knownMigrations,
  requireServer,
} from './schema-version.ts';
import { rolesOf } from './service-roles.ts';
import { withClient } from './with-client.ts';

/**
 * The time limit of each query, in ms. A short limit suffices, because the queries are trivial and the starting process
 * retries them.
 */
const ANSWER_MS = 5_000;

const session = (role?: string): SessionOptions => ({
  ...(role !== undefined && { role }),
  applicationName: 'sightline start',
  settings: {},
  answerTimeout: ANSWER_MS,
});

/**
 * Checks that the database is usable without a migration, for processes that do not migrate.
 *
 * @throws SchemaBehind with an explanation if a migration would make the database usable, otherwise SchemaMismatch;
 *   StoreUnavailable if the server does not answer
 */
export async function requireSchema(
  connection: PostgresConnection,
  release?: string,
): Promise<void> {
  try {
    const { app, platform } = rolesOf(connection);
    await withClient(connection, session(platform), (client) => requireCurrent(client, release));
    await withClient(connection, session(app), () => Promise.resolve());
  } catch (error) {
    if (!(error instanceof SchemaMismatch)) throw toStoreFailure(error);
    throw isRefusedLogin(error) ? loginRefused(error) : error;
  }
}

async function requireCurrent(client: pg.Client, release?: string): Promise<void> {
  await requireServer(client);
  const applied = await appliedMigrations(client);
  if (applied.size === 0) throw noSchema();
  const missing = (await knownMigrations()).findLast((name) => !applied.has(name));
  if (missing !== undefined) throw olderSchema(missing);
  await isOfNewerRelease(client, applied, release);
}

/** The error codes of a wrong password or unknown role, and of a role that may not log in. */
const REFUSED = ['28P01', '28000'];

function isRefusedLogin({ cause }: SchemaMismatch): boolean {
  return isErrorLike(cause) && REFUSED.some((code) => code === cause.code);
}

function loginRefused(refusal: SchemaMismatch): SchemaBehind {
  return new SchemaBehind(
    `${refusal.message} \`sightline migrate\` creates this role and sets its password.`,
    { cause: refusal },
  );
}

function noSchema(): SchemaBehind {
  return new SchemaBehind('The database has no schema of Sightline yet: run `sightline migrate`.');
}

function olderSchema(missing: string): SchemaBehind {
  return new SchemaBehind(
    `The database has the schema of an older version of Sightline, without ${missing}: run \`sightline migrate\`.`,
  );
}
