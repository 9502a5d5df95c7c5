import { StoreUnavailable } from '@sightline/core/store/store-errors';
import type { DatabaseSettings } from '@sightline/platform/config/read-database-settings';
import type { Dependency } from '@sightline/platform/resilience/dependency';
import { openPostgres, type PostgresStores } from '@sightline/postgres/open-postgres';
import { requireSchema } from '@sightline/postgres/require-schema';
import { awaitDependency, type StartupWait } from '../await-dependency.ts';
import { type DependencyObservers, watchService } from '../watch-service.ts';
import { connectionOf } from './connection-of.ts';
import { databaseName } from './database-name.ts';
import type { AwaitRows, DatabaseOptions, OpenedDatabase } from './opened-database.ts';
import { withSchemaErrors } from './with-schema-errors.ts';

/**
 * Waits for an external database and opens it.
 *
 * @throws StartError if the database stays unavailable, refuses the login, or has an unsupported schema
 */
export async function openExternalDatabase(
  settings: DatabaseSettings,
  options: DatabaseOptions,
  wait: StartupWait & DependencyObservers,
): Promise<OpenedDatabase> {
  const connection = connectionOf(settings);
  const rows = databaseName(connection);
  const what = `The ${rows.slice('the '.length)}`;
  const awaitRows: AwaitRows = (attempt) => awaitDependency(what, wait, attempt);
  await awaitRows(() => withSchemaErrors(() => requireSchema(connection)));
  await using opening = new AsyncDisposableStack();
  const watch: Dependency = opening.use(
    watchService(
      {
        name: 'database',
        ping: (signal) => stores.ping(signal),
        unavailable: (cause) => new StoreUnavailable(UNAVAILABLE, {}, { cause }),
      },
      wait,
    ),
  );
  const { reader, applicationName } = options;
  const { connections, statementTimeout, lockTimeout } = settings;
  const stores: PostgresStores = opening.use(
    openPostgres(connection, {
      reader,
      applicationName,
      connections,
      statementTimeout,
      lockTimeout,
      logger: wait.logger,
      guard: watch.guard,
    }),
  );
  const resources = opening.move();
  return {
    stores,
    external: connection,
    location: null,
    rows,
    awaitRows,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

const UNAVAILABLE = 'The database does not answer at the moment; try again.';
