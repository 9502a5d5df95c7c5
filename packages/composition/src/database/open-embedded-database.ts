import { EmbeddedPostgres } from '@sightline/embedded-postgres/embedded-postgres';
import type { DataFolder } from '@sightline/platform/data-folder/data-folder';
import { migrate } from '@sightline/postgres/migrate';
import { openPostgres } from '@sightline/postgres/open-postgres';
import type { StartupWait } from '../await-dependency.ts';
import type { DatabaseOptions, OpenedDatabase } from './opened-database.ts';
import { withSchemaErrors } from './with-schema-errors.ts';

/**
 * Opens the database of a data folder and migrates its schema. If a service that uses the folder already runs the
 * server, this process connects to that server instead of starting one.
 *
 * @throws StartError if the database cannot be used or belongs to a newer release
 */
export async function openEmbeddedDatabase(
  folder: DataFolder,
  options: DatabaseOptions,
  { logger, signal }: Pick<StartupWait, 'logger' | 'signal'>,
): Promise<OpenedDatabase> {
  await using opening = new AsyncDisposableStack();
  const serverOptions = { folder: folder.postgres, logger, signal };
  const server = opening.use(
    folder.shared
      ? await EmbeddedPostgres.attach(serverOptions)
      : await EmbeddedPostgres.open({ ...serverOptions, keepsRunning: true }),
  );
  signal.throwIfAborted();
  if (server.adopted && !folder.shared) {
    logger.warn('using the database server that a killed service left running');
  }
  if (server.location !== folder.postgres) {
    logger.info(
      { location: server.location },
      'the files of the embedded database are stored outside the data folder',
    );
  }
  // A running service has already migrated the schema.
  if (!folder.shared) await withSchemaErrors(() => migrate(server.connection));
  const { reader, applicationName } = options;
  const stores = opening.use(openPostgres(server.connection, { logger, reader, applicationName }));
  const resources = opening.move();
  return {
    stores,
    external: null,
    location: server.location,
    rows: folder.path,
    awaitRows: (attempt) => attempt(),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
