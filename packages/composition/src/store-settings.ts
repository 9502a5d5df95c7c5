import type { Config } from '@sightline/platform/config/parse-config';
import {
  type DatabaseSettings,
  readDatabaseSettings,
} from '@sightline/platform/config/read-database-settings';
import {
  type QdrantSettings,
  readQdrantSettings,
} from '@sightline/platform/config/read-qdrant-settings';
import { readS3Settings, type S3Settings } from '@sightline/platform/config/read-s3-settings';

/** The stores of a process; null: embedded. */
export interface StoreSettings {
  /** Rows; embedded: a server in the data folder. */
  readonly database: DatabaseSettings | null;
  /** Images; embedded: files in the data folder. */
  readonly s3: S3Settings | null;
  /** The index of faces; embedded: in the memory of this process. */
  readonly qdrant: QdrantSettings | null;
  /** Bytes that stay free on the disks of embedded stores. */
  readonly storageReserve: number;
}

/** @throws StartError if one is given by halves */
export function readStoreSettings(config: Config): StoreSettings {
  return {
    database: readDatabaseSettings(config),
    s3: readS3Settings(config),
    qdrant: readQdrantSettings(config),
    storageReserve: config.storageReserve,
  };
}
