import { randomUUID } from 'node:crypto';
import type { MediaStore } from '@sightline/core/media/media-store';
import type { Database } from '@sightline/core/database/database';
import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import { DataFolder } from '@sightline/platform/data-folder/data-folder';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { PostgresStores } from '@sightline/postgres/open-postgres';
import type { PostgresConnection } from '@sightline/postgres/postgres-connection';
import { POSTGRES_MAJOR } from '@sightline/embedded-postgres/ensure-cluster';
import type { Patience } from './await-dependency.ts';
import {
  type AwaitRows,
  type DatabaseOptions,
  type OpenedDatabase,
  openEmbeddedDatabase,
  openOutsideDatabase,
} from './database/open-database.ts';
import type { SchemaDuty } from './database/prepare-schema.ts';
import { openMedia } from './media/open-media.ts';
import { keepReserve } from './media/keep-reserve.ts';
import type { StoreSettings } from './store-settings.ts';
import { openVectors } from './vectors/open-vectors.ts';
import type { Watchers } from './watch-service.ts';

/** What the stores are for the use cases. */
export interface StorePorts {
  readonly database: Database;
  readonly media: MediaStore;
  readonly vectors: VectorIndex;
}

/** Everything that is kept, wherever that is. */
export interface OpenedStores extends StorePorts, Omit<PostgresStores, keyof StorePorts> {
  /** Null for a process that keeps nothing itself. */
  readonly folder: DataFolder | null;
  /** Where the database listens, if it is outside. */
  readonly outsideDatabase: PostgresConnection | null;
  readonly awaitRows: AwaitRows;
}

export interface StoresOptions {
  readonly settings: StoreSettings;
  /** The data folder; null for a process that keeps nothing itself. */
  readonly data: string | null;
  /** Of the product. */
  readonly version: string;
  /** The process, for those who look at the database: `sightline api`. */
  readonly applicationName: string;
  readonly schema: SchemaDuty;
}

/**
 * Opens the stores that the configuration names, and embeds the others in this process. Those outside
 * are waited for. Disposing of them closes them in reverse order.
 *
 * @throws StartError if one cannot be used, or if they do not belong together
 */
export async function openStores(
  options: StoresOptions,
  patience: Patience & Watchers,
): Promise<OpenedStores> {
  const { data, version, settings } = options;
  await using opening = new AsyncDisposableStack();
  const folder =
    data === null
      ? null
      : opening.use(await DataFolder.open(data, { product: version, postgres: POSTGRES_MAJOR }));
  const opened = opening.use(await openDatabase(folder, options, patience));
  const { stores, rows, outside, awaitRows, place } = opened;
  const { installation } = stores;
  const images = opening.use(await openMedia({ installation, folder, rows }, settings, patience));
  const media = place === null ? images : keepReserve(images, place, settings.storageReserve);
  const { id } = await awaitRows(() => installation.read());
  const vectors = opening.use(await openVectors(settings.qdrant, id, patience));
  const resources = opening.move();
  return {
    ...{ ...stores, folder, outsideDatabase: outside, awaitRows, media, vectors },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function openDatabase(
  folder: DataFolder | null,
  { settings, applicationName, schema }: StoresOptions,
  patience: Patience & Watchers,
): Promise<OpenedDatabase> {
  const options: DatabaseOptions = {
    ...{ applicationName, schema },
    reader: settings.qdrant === null ? { kind: 'own', name: randomUUID() } : { kind: 'shared' },
  };
  if (settings.database !== null) return openOutsideDatabase(settings.database, options, patience);
  if (folder === null) throw new StartError('SIGHTLINE_DATABASE_URL is not set.');
  patience.logger.info({ data: folder.path }, 'starting the database');
  return openEmbeddedDatabase(folder, options, patience);
}
