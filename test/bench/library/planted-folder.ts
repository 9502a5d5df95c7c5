import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
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

const ROOT = resolve(import.meta.dirname, '../../..');
const CACHE = join(ROOT, '.cache');
const MIGRATIONS = join(ROOT, 'packages/adapters/postgres/migrations');

export interface Planting {
  /** The first part of the folder's name in the cache. */
  readonly name: string;
  readonly scale: number;
  /** The files that determine the planted rows. */
  readonly files: readonly string[];
  /** @param client the owner's connection to a database with the schema, the first environment and the models */
  readonly plant: (
    client: pg.Client,
    options: {
      readonly scale: number;
      readonly modelId: number;
      readonly dimension: number;
      /** The data folder of the stopped service. */
      readonly data: string;
    },
  ) => Promise<void>;
  /** More settings of the service. */
  readonly settings?: Readonly<Record<string, string>>;
}

/**
 * Starts a service with the toy packs on a copy of a planted data folder; disposal removes the copy. Planting
 * takes minutes, so the planted folder stays in the cache until the schema or the planted rows change.
 */
export async function startPlanted(planting: Planting): Promise<RunningStandalone> {
  const planted = await plantedFolder(planting);
  await using opening = new AsyncDisposableStack();
  const data = opening.use(await temporaryData());
  await promisify(execFile)('cp', ['-a', '--reflink=auto', join(planted, 'data'), data.path]);
  const packs = join(planted, 'packs');
  const service = opening.use(
    await startStandalone({
      ...planting.settings,
      SIGHTLINE_DATA: data.path,
      SIGHTLINE_MODELS_DIR: packs,
    }),
  );
  const resources = opening.move();
  return Object.assign(service, {
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  });
}

async function plantedFolder(planting: Planting): Promise<string> {
  const prefix = `${planting.name}-${planting.scale}-`;
  const name = prefix + (await hashOfIngredients(planting));
  const folder = join(CACHE, name);
  const cached: readonly string[] = await readdir(CACHE).catch(() => []);
  if (cached.includes(name)) return folder;
  for (const old of cached.filter((each) => each.startsWith(prefix))) {
    await rm(join(CACHE, old), { recursive: true });
  }
  console.error(`planting rows in ${folder} ...`);
  await plant(`${folder}.new`, planting);
  await rename(`${folder}.new`, folder);
  return folder;
}

async function hashOfIngredients({ files }: Planting): Promise<string> {
  const migrations = await readdir(MIGRATIONS, { recursive: true });
  const paths = [
    ...migrations.filter((path) => path.endsWith('.sql')).map((path) => join(MIGRATIONS, path)),
    ...files,
    join(ROOT, 'test/support/fixtures/toy-packs.ts'),
  ];
  const hash = createHash('sha256');
  for (const path of paths.sort()) hash.update(await readFile(path));
  return hash.digest('hex').slice(0, 12);
}

/** Lets the service create the schema, the first key and the models, stops it, and plants the other rows. */
async function plant(folder: string, planting: Planting): Promise<void> {
  const [data, packs] = [join(folder, 'data'), join(folder, 'packs')];
  await writeToyPacks(packs);
  const settings = { SIGHTLINE_DATA: data, SIGHTLINE_MODELS_DIR: packs };
  await (await startStandalone(settings)).stop();
  const cluster = join(data, 'postgres');
  await using server = await EmbeddedPostgres.open({ folder: cluster });
  if (server.location !== cluster) throw new Error(`The database cannot be kept in ${cluster}.`);
  const client = new pg.Client(server.connection);
  await client.connect();
  try {
    // Removes the reader of the stopped process, so that the next process fills its index from scratch.
    await client.query('DELETE FROM index_readers');
    const { rows } = await client.query<Record<'model' | 'dimension', string>>(
      `SELECT id AS model, embedding_dim AS dimension FROM models
       WHERE task = 'face' AND status = 'active'`,
    );
    const { model, dimension } = rows[0]!;
    const { scale } = planting;
    await planting.plant(client, {
      scale,
      modelId: Number(model),
      dimension: Number(dimension),
      data,
    });
    // Removes the old versions of the rows that triggers have updated.
    await client.query('VACUUM (FREEZE, ANALYZE)');
    await client.query('CHECKPOINT');
  } finally {
    await client.end();
  }
}
