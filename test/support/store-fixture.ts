import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MediaStore } from '@sightline/core/media/media-store';
import type { Scope } from '@sightline/core/store/scope';
import { FACE_MODEL } from '@sightline/core/testing/fake-analyzer';
import type { IndexSource } from '@sightline/core/vectors/index-source';
import { FileMediaStore } from '@sightline/media-fs/file-media-store';
import { createLogger } from '@sightline/platform/logging/logger';
import { openPostgres, type PostgresStores } from '@sightline/postgres/open-postgres';
import pg from 'pg';
import { createMigratedDatabase } from './migrated-database.ts';
import { PATIENT_LIMITS } from './patient-limits.ts';
import { SeededEnvironment } from './seeded-environment.ts';

/** The embedded stores over an empty database and an empty folder. */
export interface StoreFixture extends Omit<PostgresStores, 'indexSource'> {
  readonly media: MediaStore;
  /** Where it keeps the files. */
  readonly mediaFolder: string;
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
  // A pool ends before its connections have closed, and the database that goes next ends them.
  owner.on('error', () => undefined);
  resources.defer(() => owner.end());
  const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await owner.query(text, [...values])).rows as Row[];

  const folder = await mkdtemp(join(tmpdir(), 'sightline-media-'));
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  const mediaFolder = join(folder, 'media');
  const media = await FileMediaStore.open({ folder: mediaFolder });
  const logger = createLogger({ level: 'silent' });
  const { indexSource, ...postgres } = resources.use(
    openPostgres(connection, { ...PATIENT_LIMITS, logger, reader: { kind: 'own', name: 'test' } }),
  );
  // The index begins as empty as the database.
  await postgres.changeLog.follow();
  await postgres.changeLog.filled();
  const [face, retired] = await postgres.models.register([
    FACE_MODEL,
    { ...FACE_MODEL, name: 'retired', revision: 'e'.repeat(64) },
  ]);
  await postgres.models.activate('face', face!.id);

  const store: StoreFixture = {
    ...postgres,
    media,
    mediaFolder,
    source: indexSource,
    faceModelId: face!.id,
    retiredFaceModelId: retired!.id,
    environment: async () => {
      const { id } = await postgres.keys.environment(randomUUID());
      return new SeededEnvironment(store, { environmentId: id });
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
function getTypeParser(
  id: Parameters<typeof pg.types.getTypeParser>[0],
  format?: 'text' | 'binary',
): unknown {
  const parse: unknown = pg.types.getTypeParser(id, format);
  return id === pg.types.builtins.INT8 ? Number : parse;
}
