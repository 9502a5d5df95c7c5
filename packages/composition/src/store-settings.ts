import {
  type DatabaseSettings,
  readDatabaseSettings,
} from '@sightline/platform/config/read-database-settings';
import {
  type QdrantSettings,
  readQdrantSettings,
} from '@sightline/platform/config/read-qdrant-settings';
import { readS3Settings, type S3Settings } from '@sightline/platform/config/read-s3-settings';
import type { Config } from '@sightline/platform/config/variable-groups';

/** The settings of external stores. Null stands for an embedded store. */
export interface StoreSettings {
  /** The database. The embedded database is a server in the data folder. */
  readonly database: DatabaseSettings | null;
  /** The store of images. The embedded store is a folder in the data folder. */
  readonly s3: S3Settings | null;
  /** The vector index. The embedded index is in the memory of this process. */
  readonly qdrant: QdrantSettings | null;
}

/** @throws StartError if the settings of a store are incomplete */
export function readStoreSettings(config: Config<'database' | 'media' | 'vectors'>): StoreSettings {
  return {
    database: readDatabaseSettings(config),
    s3: readS3Settings(config),
    qdrant: readQdrantSettings(config),
  };
}
