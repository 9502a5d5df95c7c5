import type { PostgresStores, ReaderChoice } from '@sightline/postgres/open-postgres';
import type { PostgresConnection } from '@sightline/postgres/postgres-connection';

export interface OpenedDatabase extends AsyncDisposable {
  readonly stores: PostgresStores;
  /** The connection settings; null for an embedded server, which other processes cannot reach. */
  readonly external: PostgresConnection | null;
  /** The folder of an embedded server; null for an external database. */
  readonly location: string | null;
  /** The name of the database in error messages. */
  readonly rows: string;
  readonly awaitRows: AwaitRows;
}

/**
 * Runs a query that the start depends on, and retries it while an external database is unavailable.
 *
 * @throws StartError if the database stays unavailable; the signal's reason on abort
 */
export type AwaitRows = <T>(attempt: () => Promise<T>) => Promise<T>;

export interface DatabaseOptions {
  readonly reader: ReaderChoice;
  readonly applicationName: string;
}
