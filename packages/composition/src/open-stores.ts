import { randomUUID } from 'node:crypto';
import type { Database } from '@sightline/core/database/database';
import type { MediaStore } from '@sightline/core/media/media-store';
import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import { POSTGRES_MAJOR } from '@sightline/embedded-postgres/ensure-cluster';
import { DataFolder } from '@sightline/platform/data-folder/data-folder';
import type { PostgresStores } from '@sightline/postgres/open-postgres';
import type { PostgresConnection } from '@sightline/postgres/postgres-connection';
import type { StartupWait } from './await-dependency.ts';
import { nameProcess } from './database/name-process.ts';
import { openEmbeddedDatabase } from './database/open-embedded-database.ts';
import { openExternalDatabase } from './database/open-external-database.ts';
import type { AwaitRows, DatabaseOptions, OpenedDatabase } from './database/opened-database.ts';
import { keepReserve } from './media/keep-reserve.ts';
import { openBucket, openFiles } from './media/open-media.ts';
import type { StoreSettings } from './store-settings.ts';
import { openVectors } from './vectors/open-vectors.ts';
import type { DependencyObservers } from './watch-service.ts';

export interface StorePorts {
  readonly database: Database;
  readonly media: MediaStore;
  readonly vectors: VectorIndex;
}

export interface OpenedStores extends StorePorts, Omit<PostgresStores, keyof StorePorts> {
  readonly folder: DataFolder;
  /** Null if the database is embedded. */
  readonly externalDatabase: PostgresConnection | null;
  readonly awaitRows: AwaitRows;
}

export interface StoresOptions {
  readonly settings: StoreSettings;
  readonly data: string;
  /** The number of bytes to keep free on the disks of embedded stores. */
  readonly storageReserve: number;
  /** The version of Sightline. */
  readonly version: string;
}

/**
 * Opens the external stores of the configuration, once they are available. Opens embedded stores for all others.
 * Disposal closes the stores in reverse order.
 *
 * @throws StartError if a store cannot be used, or the stores do not belong to the same installation
 */
export async function openStores(
  { data, storageReserve, version, settings }: StoresOptions,
  wait: StartupWait & DependencyObservers,
): Promise<OpenedStores> {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(
    await DataFolder.open(data, { product: version, postgres: POSTGRES_MAJOR }),
  );
  const opened = opening.use(await openDatabase(folder, { settings, version }, wait));
  const { stores, rows, external, awaitRows, location } = opened;
  const { installation } = stores;
  const deps = { installation, folder, rows };
  const images = opening.use(
    settings.s3 === null
      ? await openFiles(deps, storageReserve)
      : await openBucket(deps, settings.s3, wait),
  );
  const media = location === null ? images : keepReserve(images, location, storageReserve);
  const { id } = await awaitRows(() => installation.read());
  const vectors = opening.use(await openVectors(settings.qdrant, id, wait));
  const resources = opening.move();
  return {
    ...stores,
    folder,
    externalDatabase: external,
    awaitRows,
    media,
    vectors,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function openDatabase(
  folder: DataFolder,
  { settings, version }: Pick<StoresOptions, 'settings' | 'version'>,
  wait: StartupWait & DependencyObservers,
): Promise<OpenedDatabase> {
  const options: DatabaseOptions = {
    applicationName: nameProcess('sightline', version),
    reader: settings.qdrant === null ? { kind: 'own', name: randomUUID() } : { kind: 'shared' },
  };
  if (settings.database !== null) return openExternalDatabase(settings.database, options, wait);
  wait.logger.info({ data: folder.path }, 'starting the database');
  return openEmbeddedDatabase(folder, options, wait);
}
