import type { PostgresConnection } from '@sightline/postgres/postgres-connection';

/** The name of a database in messages, without secrets: `the database sightline at db.example.org:5432`. */
export function databaseName({ database, host, port }: PostgresConnection): string {
  return `the database ${database} at ${host}:${port}`;
}
