import type { DatabaseSettings } from '@sightline/platform/config/read-database-settings';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { InvalidDatabaseUrl } from '@sightline/postgres/invalid-database-url';
import { parseDatabaseUrl } from '@sightline/postgres/parse-database-url';
import type { PostgresConnection } from '@sightline/postgres/postgres-connection';

/** @throws StartError if the URL is invalid, or a file that it names cannot be read */
export function connectionOf({ url, password }: DatabaseSettings): PostgresConnection {
  try {
    return parseDatabaseUrl(url, password ?? undefined);
  } catch (error) {
    if (!(error instanceof InvalidDatabaseUrl)) throw error;
    throw new StartError(`SIGHTLINE_DATABASE_URL cannot be used: ${error.message}`);
  }
}

/** For messages, without secrets: `the database sightline at db.example.org:5432`. */
export function databaseName({ database, host, port }: PostgresConnection): string {
  return `the database ${database} at ${host}:${port}`;
}
