import type { PostgresStores, ReaderChoice } from '@sightline/postgres/open-postgres';
import type { PostgresConnection } from '@sightline/postgres/postgres-connection';

export interface OpenedDatabase extends AsyncDisposable {
  readonly stores: PostgresStores;
  /** Null for an embedded server, which no other process can reach. */
  readonly external: PostgresConnection | null;
  /** The folder of an embedded server; null for an external database. */
  readonly location: string | null;
  /** The database as error messages name it. */
  readonly rows: string;
  readonly awaitRows: AwaitRows;
}

/**
 * Runs a query that a start depends on. It is retried while an external database is unavailable.
 *
 * @throws StartError if the database stays unavailable; the signal's reason on abort
 */
export type AwaitRows = <T>(attempt: () => Promise<T>) => Promise<T>;

export interface DatabaseOptions {
  readonly reader: ReaderChoice;
  /** The name of this process in the activity view of the server. */
  readonly applicationName: string;
}
