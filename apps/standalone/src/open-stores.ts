import { randomUUID } from 'node:crypto';
import type { MediaStore } from '@sightline/core/media/media-store';
import type { Database } from '@sightline/core/store/database';
import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import type { S3Settings } from '@sightline/platform/config/read-s3-settings';
import { DataFolder } from '@sightline/platform/data-folder/data-folder';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import type { Logger } from '@sightline/platform/logging/logger';
import { migrate } from '@sightline/postgres/migrate';
import { openPostgres, type PostgresStores } from '@sightline/postgres/open-postgres';
import type { PostgresConnection } from '@sightline/postgres/postgres-connection';
import { SchemaMismatch } from '@sightline/postgres/schema-mismatch';
import { EmbeddedPostgres } from '@sightline/postgres-embedded/embedded-postgres';
import { POSTGRES_MAJOR } from '@sightline/postgres-embedded/ensure-cluster';
import { openMedia } from './open-media.ts';
import { ReloadingVectorIndex } from './reloading-vector-index.ts';

/** What the stores are for the use cases. */
export interface StorePorts {
  readonly database: Database;
  readonly media: MediaStore;
  readonly vectors: VectorIndex;
}

/** Everything that is kept: in one data folder, but for what is given a place outside of it. */
export interface EmbeddedStores extends StorePorts, Omit<PostgresStores, keyof StorePorts> {
  readonly folder: DataFolder;
}

export interface EmbeddedStoresOptions {
  /** The data folder. */
  readonly data: string;
  /** Keeps the images; null leaves them in the data folder. */
  readonly s3: S3Settings | null;
  /** Of the product. */
  readonly version: string;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/**
 * Takes the data folder, starts its database, brings the schema up to date and fills the index.
 *
 * @throws StartError if the folder is in use, broken or of another version
 */
export async function openStores({
  data,
  s3,
  version,
  logger,
  signal,
}: EmbeddedStoresOptions): Promise<EmbeddedStores> {
  await using opening = new AsyncDisposableStack();
  const folder = opening.use(
    await DataFolder.open(data, { product: version, postgres: POSTGRES_MAJOR }),
  );
  logger.info({ data: folder.path }, 'starting the database');
  const server = opening.use(
    await EmbeddedPostgres.open({ folder: folder.postgres, logger, signal }),
  );
  signal.throwIfAborted();
  if (server.adopted) logger.warn('the database of a service that was killed goes on');
  if (server.place !== folder.postgres) {
    logger.info({ place: server.place }, 'the database stands outside of the data folder');
  }
  await bringSchemaUpToDate(server.connection);
  const postgres = opening.use(
    openPostgres(server.connection, { logger, reader: { kind: 'own', name: randomUUID() } }),
  );
  const media = opening.use(await openMedia(folder, s3, signal));
  await postgres.changeLog.follow(signal);
  const vectors = opening.use(
    await ReloadingVectorIndex.open({ source: postgres.indexSource, logger }),
  );
  await postgres.changeLog.filled(signal);
  const resources = opening.move();
  return {
    ...{ ...postgres, folder, media, vectors },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function bringSchemaUpToDate(connection: PostgresConnection): Promise<void> {
  try {
    await migrate(connection);
  } catch (error) {
    if (!(error instanceof SchemaMismatch)) throw error;
    throw new StartError(error.message, { cause: error });
  }
}
