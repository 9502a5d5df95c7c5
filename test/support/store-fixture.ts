import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { KeyStore } from '@sightline/core/accounts/key-store';
import type { JobStore } from '@sightline/core/jobs/job-store';
import type { MaintenanceStore } from '@sightline/core/maintenance/maintenance-store';
import type { MediaStore } from '@sightline/core/media/media-store';
import type { ModelStore } from '@sightline/core/models/model-store';
import type { SystemSettings } from '@sightline/core/settings/settings-store';
import type { Database } from '@sightline/core/store/database';
import type { Scope } from '@sightline/core/store/scope';
import { FACE_MODEL } from '@sightline/core/testing/fake-analyzer';
import type { IndexSource } from '@sightline/core/vectors/index-source';
import { FileMediaStore } from '@sightline/media-fs/file-media-store';
import { createLogger } from '@sightline/platform/logging/logger';
import { Doors } from '@sightline/postgres/doors/doors';
import { openPools } from '@sightline/postgres/doors/open-pools';
import { PostgresDatabase } from '@sightline/postgres/stores/postgres-database';
import { PostgresIndexSource } from '@sightline/postgres/stores/index-source';
import { PostgresJobStore } from '@sightline/postgres/stores/jobs';
import { PostgresKeyStore } from '@sightline/postgres/stores/keys';
import { PostgresMaintenanceStore } from '@sightline/postgres/stores/maintenance';
import { PostgresModelStore } from '@sightline/postgres/stores/models';
import { PostgresSystemSettings } from '@sightline/postgres/stores/settings';
import pg from 'pg';
import { createMigratedDatabase } from './migrated-database.ts';
import { SeededEnvironment } from './seeded-environment.ts';

/** The embedded stores over an empty database and an empty folder. */
export interface StoreFixture extends AsyncDisposable {
  readonly database: Database;
  readonly media: MediaStore;
  readonly keys: KeyStore;
  readonly models: ModelStore;
  readonly jobs: JobStore;
  readonly maintenance: MaintenanceStore;
  readonly systemSettings: SystemSettings;
  readonly source: IndexSource;
  /** Of the active face model. */
  readonly faceModelId: number;
  /** Of a face model that was active before. */
  readonly retiredFaceModelId: number;
  /** A new environment. */
  environment(): Promise<SeededEnvironment>;
  /** Keys of the environment's files. */
  files(scope: Scope): Promise<string[]>;
  /** Asks the database as its owner, whom row-level security does not hold back. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
}

export async function openStoreFixture(): Promise<StoreFixture> {
  const resources = new AsyncDisposableStack();
  const { connection } = resources.use(await createMigratedDatabase());
  const owner = new pg.Pool({ ...connection, max: 2, types: { getTypeParser } });
  resources.defer(() => owner.end());
  const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await owner.query(text, [...values])).rows as Row[];

  const folder = await mkdtemp(join(tmpdir(), 'sightline-media-'));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  const media = await FileMediaStore.open({ folder: join(folder, 'media') });
  const doors = new Doors(resources.use(openPools(connection, createLogger({ level: 'silent' }))));
  const models = new PostgresModelStore(doors);
  const [face, retired] = await models.register([
    FACE_MODEL,
    { ...FACE_MODEL, name: 'retired', revision: 'e'.repeat(64) },
  ]);
  await models.activate('face', face!.id);

  const store: StoreFixture = {
    database: new PostgresDatabase(doors),
    media,
    keys: new PostgresKeyStore(doors),
    models,
    jobs: new PostgresJobStore(doors),
    maintenance: new PostgresMaintenanceStore(doors),
    systemSettings: new PostgresSystemSettings(doors),
    source: new PostgresIndexSource(doors),
    faceModelId: face!.id,
    retiredFaceModelId: retired!.id,
    environment: async () => {
      const [{ id: environmentId }] = (await query<{ id: number }>(
        'INSERT INTO environments (name) VALUES ($1) RETURNING id',
        [randomUUID()],
      )) as [{ id: number }];
      return new SeededEnvironment(store, { environmentId });
    },
    files: async ({ environmentId }) => {
      const keys: string[] = [];
      for await (const { key } of media.list(`${environmentId}/`)) keys.push(key);
      return keys;
    },
    query,
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
  return store;
}

/** Ids and counts as numbers, as everywhere. */
function getTypeParser(id: number, format?: 'text' | 'binary'): unknown {
  return id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format);
}
