import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { collectOrphans } from '@sightline/core/maintenance/collect-orphans';
import { FileMediaStore } from '@sightline/media/fs/file-media-store';
import { createLogger } from '@sightline/platform/logging/logger';
import { openPostgres } from '@sightline/postgres/open-postgres';
import pg from 'pg';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { endLeases, endOtherLeases } from '../support/fixtures/end-leases.ts';
import { LONG_TIMEOUTS } from '../support/fixtures/long-timeouts.ts';
import { seedCrowd } from '../support/fixtures/seed-crowd.ts';
import { SeededEnvironment } from '../support/fixtures/seeded-environment.ts';
import { getTypeParser } from '../support/fixtures/get-type-parser.ts';
import { temporaryData } from '../support/fixtures/temporary-data.ts';
import { LocalDatabase } from '../support/servers/local-database.ts';
import { ok } from '../support/services/ok.ts';
import { type RunningStandalone, startStandalone } from '../support/services/running-standalone.ts';
import { findInconsistencies } from '../support/similarity/find-inconsistencies.ts';
import { WaitLimit } from '../support/waits/wait-until.ts';
import type { DyingPoint } from './dying-stores.ts';

const PAUSE_MS = 200;

/** A death of a process: after the signal it dies when it reaches the point for the `time`-th time. */
export interface Death {
  readonly point: DyingPoint;
  readonly time: number;
}

/** One enrolled face and its identity. */
export interface Enrolled {
  readonly name: string;
  readonly identityId: number;
  readonly detectionId: number;
}

/** The database of a service that dies again and again. */
export interface DyingLibrary extends AsyncDisposable {
  /** The data folder of the processes. */
  readonly data: string;
  /**
   * Starts the next process on the database. Everything that the last process held is expired before; with `keepsItems`,
   * items of jobs stay held until the test expires their leases.
   */
  start(death?: Death, next?: { readonly keepsItems: boolean }): Promise<RunningStandalone>;
  /** Adds that many faces to the identity, all like its first one, and returns their ids. */
  addFaces(to: Enrolled, count: number): Promise<readonly number[]>;
  /** The environment, and the active face model. It has at least one reference. */
  home(): Promise<{ readonly environment: SeededEnvironment; readonly modelId: number }>;
  /** The events since the last call. */
  events(): ReturnType<SeededEnvironment['events']>;
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Identities that are being merged or deleted. */
  deleting(): Promise<readonly unknown[]>;
  /** Contradictions between rows. */
  contradictions(): Promise<readonly string[]>;
  /** Returns what `sightline check --deep` finds when all changes have been followed, without a process of its own. */
  inconsistencies(): Promise<readonly string[]>;
  /** Removes the files without rows, as the worker does a day later, and returns their number. */
  collectOrphans(): Promise<number>;
  /** The keys of the files that are stored. */
  files(): Promise<readonly string[]>;
}

/** @param settings settings of the processes, in addition to the library's own */
export async function openDyingLibrary(
  settings: Readonly<Record<string, string>> = {},
): Promise<DyingLibrary> {
  await using opening = new AsyncDisposableStack();
  const data = opening.use(await temporaryData());
  const database = opening.use(await LocalDatabase.migrated());
  const owner = new pg.Pool({ ...database.connection, max: 2, types: { getTypeParser } });
  // `owner.end()` does not wait until the connections are closed. The drop of the database then terminates them,
  // which the pool reports as an error.
  owner.on('error', () => undefined);
  opening.defer(() => owner.end());
  const query = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    (await owner.query(text, [...values])).rows as Row[];
  const stores = opening.use(
    openPostgres(database.connection, {
      ...LONG_TIMEOUTS,
      logger: createLogger({ level: 'silent' }),
      reader: { kind: 'own', name: 'test' },
    }),
  );
  const home = async () => {
    const [row] = await query<{ id: number; model: number }>(
      `SELECT e.id, m.model_id AS model
       FROM environments e, (SELECT model_id FROM face_references LIMIT 1) m`,
    );
    const store = { ...stores, media: mediaOf(data), query, faceModelId: row!.model };
    return { store, environment: new SeededEnvironment(store, { environmentId: row!.id }) };
  };
  const resources = opening.move();
  return {
    data: data.path,
    start: async (death, { keepsItems } = { keepsItems: false }) => {
      await (keepsItems ? endOtherLeases({ query }) : endLeases({ query }));
      return startStandalone(
        {
          ...settings,
          SIGHTLINE_DATA: data.path,
          SIGHTLINE_DATABASE_URL: database.url,
          ...(death && {
            SIGHTLINE_TEST_DIE_AT: death.point,
            SIGHTLINE_TEST_DIE_TIME: String(death.time),
          }),
        },
        { main: 'test/faults/dying-standalone.ts' },
      );
    },
    addFaces: async ({ identityId, detectionId }, count) => {
      const { store, environment } = await home();
      const [row] = await query<{ vector: Buffer }>(
        'SELECT vector FROM face_vectors WHERE detection_id = $1',
        [detectionId],
      );
      return seedCrowd(store, environment, { identityId, count, vector: row!.vector });
    },
    home: async () => {
      const { store, environment } = await home();
      return { environment, modelId: store.faceModelId };
    },
    events: async () => (await home()).environment.events(),
    query,
    deleting: () => query('SELECT id FROM identities WHERE deleting_since IS NOT NULL'),
    contradictions: () => stores.maintenance.contradictions(),
    inconsistencies: () => findInconsistencies({ ...stores, media: mediaOf(data) }),
    collectOrphans: () =>
      collectOrphans({ media: mediaOf(data), maintenance: stores.maintenance }, 0),
    files: async () => (await Array.fromAsync(mediaOf(data).list(''))).map(({ key }) => key),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

function mediaOf({ path }: { readonly path: string }): FileMediaStore {
  return FileMediaStore.attach({ folder: join(path, 'media') });
}

/** Enrolls a person whose face is drawn from the name. */
export async function enroll({ client }: RunningStandalone, name: string): Promise<Enrolled> {
  const file = await drawPhoto({ faces: [name] });
  const { identity_id: identityId, embedding_id: id } = ok(
    await client.enrollFace({ body: { name, file } }),
  );
  const reference = ok(await client.getFaceEmbedding({ path: { id } }));
  return { name, identityId, detectionId: reference.detection_id };
}

/**
 * Lets a service die during a request while `look` polls it. The last call of `look` fails because the
 * process has died.
 */
export async function dieOver(
  service: RunningStandalone,
  request: () => Promise<unknown>,
  look: () => Promise<void> = () => once(service.process, 'exit').then(() => undefined),
): Promise<void> {
  const exit = once(service.process, 'exit');
  service.process.kill('SIGUSR2');
  const answer = request().catch(() => 'broken off');
  while (service.process.signalCode === null) {
    await look().catch((error: unknown) => {
      if (!isBrokenOff(error)) throw error;
      return exit;
    });
  }
  expect(await exit).toEqual([null, 'SIGKILL']);
  expect(await answer).toBe('broken off');
}

/** Whether fetch failed because the other side closed the connection. */
function isBrokenOff(error: unknown): boolean {
  return (error as Error).name === 'TypeError';
}

/**
 * Polls until no identity is being merged or deleted. Calls `look` before another process continues, and until all have
 * left. The process that began must be dead.
 */
export async function untilAllLeft(
  library: DyingLibrary,
  look: () => Promise<void>,
): Promise<void> {
  const limit = new WaitLimit();
  await look();
  // Other processes continue a deletion that has taken no step for ten seconds.
  await library.query(
    `UPDATE identities SET last_step_at = now() - interval '1 minute' WHERE deleting_since IS NOT NULL`,
  );
  for (;;) {
    const deleting = await library.query(
      'SELECT id FROM identities WHERE deleting_since IS NOT NULL',
    );
    await look();
    if (deleting.length === 0) return;
    if (limit.isOver()) throw limit.error('no identity is being deleted', deleting);
    await sleep(PAUSE_MS);
  }
}
