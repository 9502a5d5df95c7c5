import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { DataFolder } from '@sightline/platform/data-folder/data-folder';
import { VERSION_FILE } from '@sightline/platform/data-folder/folder-version';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { createLogger } from '@sightline/platform/logging/logger';
import { migrate } from '@sightline/postgres/migrate';
import { openPostgres, type PostgresStores } from '@sightline/postgres/open-postgres';
import { SchemaMismatch } from '@sightline/postgres/schema-mismatch';
import { EmbeddedPostgres } from '@sightline/postgres-embedded/embedded-postgres';
import { POSTGRES_MAJOR } from '@sightline/postgres-embedded/ensure-cluster';
import type { CommandInput } from './command.ts';

/** An installation as commands see it, beside a service that runs or on their own. */
export interface Installation extends PostgresStores {
  readonly folder: DataFolder;
}

/**
 * Opens what the data folder holds. If a service runs there, its database is used; else it is
 * started, and stopped again when the installation is disposed of.
 *
 * @throws StartError if there is no installation or it cannot be used
 */
export async function openInstallation({
  data,
  version,
  signal,
}: Pick<CommandInput, 'data' | 'version' | 'signal'>): Promise<Installation> {
  if (!existsSync(join(data, VERSION_FILE))) {
    throw new StartError(
      `There is no data folder in ${data}: start the service once, or set SIGHTLINE_DATA.`,
    );
  }
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(
    await DataFolder.attach(data, { product: version, postgres: POSTGRES_MAJOR }),
  );
  const server = opening.use(await openServer(folder, signal));
  // Beside a running service the schema is that of the service.
  if (!folder.shared) await migrateOrExplain(server);
  const stores = opening.use(
    openPostgres(server.connection, {
      logger: createLogger({ level: 'warn' }),
      applicationName: 'sightline cli',
      reader: { kind: 'own', name: randomUUID() },
    }),
  );
  const resources = opening.move();
  return { ...stores, folder, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

function openServer(folder: DataFolder, signal: AbortSignal): Promise<EmbeddedPostgres> {
  const place = { folder: folder.postgres, signal };
  return folder.shared ? EmbeddedPostgres.attach(place) : EmbeddedPostgres.open(place);
}

async function migrateOrExplain({ connection }: EmbeddedPostgres): Promise<void> {
  try {
    await migrate(connection);
  } catch (error) {
    if (!(error instanceof SchemaMismatch)) throw error;
    throw new StartError(error.message, { cause: error });
  }
}
