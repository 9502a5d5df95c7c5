import { StoreUnavailable } from '@sightline/core/store/store-errors';
import type { DatabaseSettings } from '@sightline/platform/config/read-database-settings';
import type { DataFolder } from '@sightline/platform/data-folder/data-folder';
import type { Dependency } from '@sightline/platform/resilience/dependency';
import {
  openPostgres,
  type PostgresStores,
  type ReaderChoice,
} from '@sightline/postgres/open-postgres';
import type { PostgresConnection } from '@sightline/postgres/postgres-connection';
import { EmbeddedPostgres } from '@sightline/embedded-postgres/embedded-postgres';
import { awaitDependency, type Patience } from '../await-dependency.ts';
import { type Watchers, watchService } from '../watch-service.ts';
import { connectionOf, databaseName } from './name-database.ts';
import { prepareSchema, type SchemaDuty } from './prepare-schema.ts';

export interface OpenedDatabase extends AsyncDisposable {
  readonly stores: PostgresStores;
  /** Null for a server of this process's own, which nobody else reaches. */
  readonly outside: PostgresConnection | null;
  /** The folder of a server of this process's own. */
  readonly place: string | null;
  /** For people: whose images it is about. */
  readonly rows: string;
  readonly awaitRows: AwaitRows;
}

/**
 * Does something with the rows that a start cannot go on without: again and again while a database
 * outside of this process has gone.
 *
 * @throws StartError if it does not come back; the signal's reason on abort
 */
export type AwaitRows = <T>(attempt: () => Promise<T>) => Promise<T>;

export interface DatabaseOptions {
  readonly reader: ReaderChoice;
  /** What the server's activity view shows. */
  readonly applicationName: string;
  readonly schema: SchemaDuty;
}

/**
 * Opens a database outside of this process, once it answers.
 *
 * @throws StartError if it does not, refuses the login, or is not of this version
 */
export async function openOutsideDatabase(
  settings: DatabaseSettings,
  options: DatabaseOptions,
  patience: Patience & Watchers,
): Promise<OpenedDatabase> {
  const connection = connectionOf(settings);
  const rows = databaseName(connection);
  const what = `The ${rows.slice('the '.length)}`;
  const awaitRows: AwaitRows = (attempt) => awaitDependency(what, patience, attempt);
  await awaitRows(() => prepareSchema(connection, options.schema));
  await using opening = new AsyncDisposableStack();
  const watch: Dependency = opening.use(
    watchService(
      {
        name: 'database',
        ping: (signal) => stores.ping(signal),
        unavailable: (cause) => new StoreUnavailable(UNAVAILABLE, {}, { cause }),
      },
      patience,
    ),
  );
  const { reader, applicationName } = options;
  const { connections, statementTimeout, lockTimeout } = settings;
  const stores: PostgresStores = opening.use(
    openPostgres(connection, {
      ...{ reader, applicationName, connections, statementTimeout, lockTimeout },
      logger: patience.logger,
      guard: watch.guard,
    }),
  );
  const resources = opening.move();
  return {
    ...{ stores, outside: connection, place: null, rows, awaitRows },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

const UNAVAILABLE = 'The database does not answer at the moment; try again.';

/**
 * Starts the database of a data folder, or uses the one of the service that has the folder, and brings
 * its schema up to date.
 *
 * @throws StartError if it cannot be used or is of a newer version
 */
export async function openEmbeddedDatabase(
  folder: DataFolder,
  options: DatabaseOptions,
  { logger, signal }: Pick<Patience, 'logger' | 'signal'>,
): Promise<OpenedDatabase> {
  await using opening = new AsyncDisposableStack();
  const place = { folder: folder.postgres, logger, signal };
  const server = opening.use(
    folder.shared ? await EmbeddedPostgres.attach(place) : await EmbeddedPostgres.open(place),
  );
  signal.throwIfAborted();
  if (server.adopted && !folder.shared) {
    logger.warn('the database of a service that was killed goes on');
  }
  if (server.location !== folder.postgres) {
    logger.info({ location: server.location }, 'the database is outside the data folder');
  }
  // Beside a running service the schema is that of the service.
  await prepareSchema(server.connection, folder.shared ? 'as-is' : options.schema);
  const { reader, applicationName } = options;
  const stores = opening.use(openPostgres(server.connection, { logger, reader, applicationName }));
  const resources = opening.move();
  return {
    stores,
    outside: null,
    place: server.location,
    rows: folder.path,
    awaitRows: (attempt) => attempt(),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
