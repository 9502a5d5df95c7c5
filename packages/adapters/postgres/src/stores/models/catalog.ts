import type { EndingStep } from '@sightline/core/jobs/job-work';
import type { CatalogEntry } from '@sightline/core/models/catalog-entry';
import type { CatalogStore, ListedModel } from '@sightline/core/models/catalog-store';
import { ModelChanged } from '@sightline/core/models/model-errors';
import type { FetchedModel } from '@sightline/core/models/model-source';
import { NotFound } from '@sightline/core/store/not-found';
import { eq, sql } from '../../drizzle.ts';
import type { Doors } from '../../doors/doors.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { models } from '../../schema/models.ts';
import { listedModels } from './catalog-rows.ts';
import { endItem } from '../jobs/job-rows.ts';
import { statusAfter } from './model-status.ts';

export class PostgresCatalogStore implements CatalogStore {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async sync(entries: readonly CatalogEntry[]): Promise<void> {
    const names = entries.map(({ name }) => name);
    const rows = JSON.stringify(entries.map(rowOf));
    await this.#doors.withPlatform('models', async (session) => {
      await removeOthers(session, names);
      await session.query(UPDATE, [rows]);
      await session.query(INSERT, [rows]);
    });
  }

  async byId(id: number, signal?: AbortSignal): Promise<ListedModel | null> {
    const [model] = await this.#doors.onPlatform(
      'models',
      (session) => listedModels(session, 'm.id = $1', [id]),
      signal,
    );
    return model ?? null;
  }

  async revisions(signal?: AbortSignal): Promise<ReadonlySet<string>> {
    const rows = await this.#doors.onPlatform(
      'models',
      (session) =>
        session.query<{ revision: string }>(
          `SELECT encode(digest, 'hex') AS revision FROM models
           WHERE digest IS NOT NULL AND environment_id IS NULL`,
        ),
      signal,
    );
    return new Set(rows.map(({ revision }) => revision));
  }

  async pin(id: number, fetched: FetchedModel, end: EndingStep<FetchedModel>): Promise<void> {
    await this.#doors.withPlatform('models', async (session) => {
      const row = await rowOfDigest(session, id, fetched.model.revision);
      await describe(session, row, fetched);
      const jobs = { endItem: endItem.bind(null, session) };
      await end({ jobs }, fetched);
    });
  }
}

function rowOf({ commercialUse, ...entry }: CatalogEntry) {
  return {
    name: entry.name,
    task: entry.task,
    version: entry.version,
    license: entry.license,
    commercial_use: commercialUse === 'unknown' ? null : commercialUse,
    commercial_use_reason: entry.commercialUseReason,
    provides: entry.provides,
    embedding_dim: entry.embeddingDim,
    classes: entry.classes,
    files: entry.files,
  };
}

/** Deletes the catalog rows with other names. Models with files stay, but can no longer be downloaded. */
async function removeOthers(session: TransactionSession, names: readonly string[]): Promise<void> {
  await session.query(
    `DELETE FROM models WHERE files IS NOT NULL AND digest IS NULL AND status <> 'downloading'
       AND name <> ALL ($1::text[])`,
    [names],
  );
  await session.query(
    `UPDATE models SET files = NULL WHERE files IS NOT NULL AND status <> 'downloading'
       AND name <> ALL ($1::text[])`,
    [names],
  );
}

const ENTRIES = `SELECT * FROM jsonb_to_recordset($1::jsonb) AS e (name text, task text, version text,
  license text, commercial_use boolean, commercial_use_reason text, provides text[],
  embedding_dim integer, classes text[], files jsonb)`;

/**
 * Selects the row of each catalog entry: the row that was created for the catalog, otherwise that of the newest model
 * with the same name that has files.
 */
const ROWS = `SELECT DISTINCT ON (m.name) m.id, m.name, m.digest
  FROM models m JOIN e ON e.name = m.name
  WHERE m.files IS NOT NULL OR m.status <> 'available'
  ORDER BY m.name, m.files IS NULL, m.id DESC`;

const FACTS = [
  'task',
  'version',
  'license',
  'commercial_use',
  'commercial_use_reason',
  'provides',
  'embedding_dim',
  'classes',
];

/** Updates the catalog's rows. A model with files keeps the facts that its own files state. */
const UPDATE = `
  WITH e AS (${ENTRIES}), r AS (${ROWS})
  UPDATE models m SET files = e.files,
    ${FACTS.map((name) => `${name} = CASE WHEN m.digest IS NULL THEN e.${name} ELSE m.${name} END`).join(', ')}
  FROM e JOIN r ON r.name = e.name
  WHERE m.id = r.id AND (m.files IS DISTINCT FROM e.files
    OR m.digest IS NULL AND (${FACTS.map((name) => `m.${name}`).join(', ')})
      IS DISTINCT FROM (${FACTS.map((name) => `e.${name}`).join(', ')}))`;

const INSERT = `
  WITH e AS (${ENTRIES}), r AS (${ROWS})
  INSERT INTO models (name, files, status, ${FACTS.join(', ')})
  SELECT e.name, e.files, 'available', ${FACTS.map((name) => `e.${name}`).join(', ')}
  FROM e WHERE NOT EXISTS (SELECT FROM r WHERE r.name = e.name)
  ORDER BY e.name ON CONFLICT DO NOTHING`;

/**
 * Locks all rows of the model's name, and returns the row for the downloaded files. This is the row of the id, unless
 * another row of that name has the same digest. In that case the row of the id is deleted, and the other row gets the
 * location of the published files.
 *
 * @throws NotFound; ModelChanged if the row of the id has another digest
 */
async function rowOfDigest(
  session: TransactionSession,
  id: number,
  revision: string,
): Promise<number> {
  const rows = await session.query<{ id: number; revision: string | null }>(
    `SELECT m.id, encode(m.digest, 'hex') AS revision FROM models m
     WHERE m.name = (SELECT name FROM models WHERE id = $1) AND m.environment_id IS NULL
     ORDER BY m.digest, m.name FOR UPDATE`,
    [id],
  );
  const row = rows.find((each) => each.id === id);
  if (row === undefined) throw new NotFound('model', id);
  if (row.revision !== null && row.revision !== revision) {
    throw new ModelChanged({ expected: row.revision, received: revision });
  }
  const known = rows.find((each) => each.revision === revision && each.id !== id);
  if (known === undefined) return id;
  await session.query(
    `WITH catalog AS (DELETE FROM models WHERE id = $1 RETURNING files)
     UPDATE models m SET files = catalog.files FROM catalog WHERE m.id = $2`,
    [id, known.id],
  );
  return known.id;
}

async function describe(
  { db }: TransactionSession,
  id: number,
  { model, bytes }: FetchedModel,
): Promise<void> {
  await db
    .update(models)
    .set({
      digest: model.revision,
      task: model.task,
      version: model.version,
      license: model.license,
      commercialUse: model.commercialUse === 'unknown' ? null : model.commercialUse,
      commercialUseReason: model.commercialUseReason,
      provides: [...model.provides],
      embeddingDim: model.embeddingDim,
      classes: [...model.classes],
      similarityCalibration: model.similarityCalibration,
      sizeBytes: bytes,
      error: null,
      status: sql`${statusAfter('found')}`,
    })
    .where(eq(models.id, id));
}
