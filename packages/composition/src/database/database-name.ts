import type { PostgresConnection } from '@sightline/postgres/postgres-connection';

/**
 * The name of a database in messages, such as `the database sightline at db.example.org:5432`. It contains no secrets.
 */
export function databaseName({ database, host, port }: PostgresConnection): string {
  return `the database ${database} at ${host}:${port}`;
}
