import { createHash } from 'node:crypto';
import { execFile } from 'node:child_process';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgres } from '@sightline/embedded-postgres/embedded-postgres';
import pg from 'pg';
import { temporaryData } from '../../support/fixtures/temporary-data.ts';
import { writeToyPacks } from '../../support/fixtures/toy-packs.ts';
import {
  type RunningStandalone,
  startStandalone,
} from '../../support/services/running-standalone.ts';
import { librarySize } from './library-size.ts';
import { plantLibrary } from './plant-library.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const CACHE = join(ROOT, '.cache');
/** The files on which the planted rows and their schema depend. */
const INGREDIENTS = [
  'packages/adapters/postgres/migrations',
  'test/bench/library/library-plan.ts',
  'test/bench/library/library-rows.ts',
  'test/bench/library/library-size.ts',
  'test/bench/library/names.ts',
  'test/bench/library/plant-library.ts',
  'test/bench/library/seeded-random.ts',
  'test/support/fixtures/toy-packs.ts',
];
const SEED = 2026;

/**
 * Starts a service with the toy packs on a copy of a planted data folder; disposal removes the copy. Planting
 * takes minutes, so the planted folder stays in the cache, one for each scale, until the schema changes.
 */
export async function startLibrary(scale: number): Promise<RunningStandalone> {
  const planted = await plantedFolder(scale);
  await using opening = new AsyncDisposableStack();
  const data = opening.use(await temporaryData());
  await promisify(execFile)('cp', ['-a', '--reflink=auto', join(planted, 'data'), data.path]);
  const service = opening.use(
    await startStandalone({ SIGHTLINE_DATA: data.path, SIGHTLINE_MODELS_DIR: packsOf(planted) }),
  );
  const resources = opening.move();
  return Object.assign(service, {
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  });
}

async function plantedFolder(scale: number): Promise<string> {
  const prefix = `bench-library-${scale}-`;
  const folder = join(CACHE, prefix + (await hashOf(scale)));
  if (await isThere(folder)) return folder;
  for (const name of await readdir(CACHE).catch(() => [])) {
    if (name.startsWith(prefix)) await rm(join(CACHE, name), { recursive: true });
  }
  console.error(`planting a library in ${folder} ...`);
  await plant(`${folder}.new`, scale);
  await rename(`${folder}.new`, folder);
  return folder;
}

async function hashOf(scale: number): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify({ scale, SEED }));
  for (const ingredient of INGREDIENTS) {
    for (const file of await filesOf(join(ROOT, ingredient))) hash.update(await readFile(file));
  }
  return hash.digest('hex').slice(0, 12);
}

async function filesOf(path: string): Promise<readonly string[]> {
  if (path.endsWith('.ts')) return [path];
  const names = await readdir(path, { recursive: true });
  return names
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => join(path, name));
}

async function isThere(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).length > 0;
}

function packsOf(folder: string): string {
  return join(folder, 'packs');
}

/** Lets the service create the schema, the first key and the models, stops it, and plants the other rows. */
async function plant(folder: string, scale: number): Promise<void> {
  const data = join(folder, 'data');
  await writeToyPacks(packsOf(folder));
  const settings = { SIGHTLINE_DATA: data, SIGHTLINE_MODELS_DIR: packsOf(folder) };
  const service = await startStandalone(settings);
  await service.stop();
  await using server = await EmbeddedPostgres.open({ folder: join(data, 'postgres') });
  const cluster = join(data, 'postgres');
  if (server.location !== cluster) throw new Error(`The database cannot be kept in ${cluster}.`);
  const client = new pg.Client(server.connection);
  await client.connect();
  try {
    // Removes the reader of the stopped process, so that the next process fills its index from scratch.
    await client.query('DELETE FROM index_readers');
    await plantLibrary(client, {
      ...(await subjectOf(client)),
      ...librarySize(scale),
      seed: SEED,
    });
    // Removes the old versions of the rows that triggers have updated.
    await client.query('VACUUM (FREEZE, ANALYZE)');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}

/** The environment of the first key, and the active face model. */
async function subjectOf(client: pg.Client) {
  const { rows } = await client.query<Record<'environment' | 'model' | 'dimension', string>>(
    `SELECT k.environment_id AS environment, m.id AS model, m.embedding_dim AS dimension
     FROM keys k, models m WHERE m.task = 'face' AND m.status = 'active'`,
  );
  const { environment, model, dimension } = rows[0]!;
  return {
    environmentId: Number(environment),
    modelId: Number(model),
    dimension: Number(dimension),
  };
}
