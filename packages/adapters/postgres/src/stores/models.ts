import type { SQL } from 'drizzle-orm';
import type { NewJob } from '@sightline/core/jobs/job';
import type { ActiveModel } from '@sightline/core/models/model';
import { MODEL_LIFE, type ModelEvent } from '@sightline/core/models/model-life';
import type { ModelStore, RegisteredModel } from '@sightline/core/models/model-store';
import { and, asc, eq, ne, sql } from '../drizzle.ts';
import type { Doors } from '../doors/doors.ts';
import type { TransactionSession } from '../doors/transaction-session.ts';
import { models } from '../schema/models.ts';
import { columnsWithout } from './columns-without.ts';
import { createJobs } from './jobs.ts';

const COLUMNS = {
  ...columnsWithout(
    models,
    'digest',
    'commercialUse',
    'sourceUrl',
    'sizeBytes',
    'status',
    'error',
    'createdAt',
  ),
  revision: models.digest,
};

export class PostgresModelStore implements ModelStore {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async register(given: readonly ActiveModel[]): Promise<readonly RegisteredModel[]> {
    if (given.length === 0) return [];
    const byPlace = new Map(given.map((model) => [keyOf(model), model]));
    const distinct = [...byPlace.keys()].sort().map((key) => byPlace.get(key)!);
    const rows = await this.#doors.onPlatform('models', (session) => insert(session, distinct));
    const byKey = new Map(rows.map((row) => [keyOf(row), row]));
    return given.map((model) => byKey.get(keyOf(model))!);
  }

  async active(signal?: AbortSignal): Promise<readonly RegisteredModel[]> {
    return this.#doors.onPlatform(
      'models',
      ({ db }) =>
        db
          .select(COLUMNS)
          .from(models)
          .where(eq(models.status, 'active'))
          .orderBy(asc(models.task)),
      signal,
    );
  }

  async activate(modelId: number, reembedding: readonly NewJob[]): Promise<void> {
    await this.#doors.withPlatform('models', async (session) => {
      await switchTo(session, modelId);
      if (reembedding.length > 0) await createJobs(session, reembedding);
    });
  }
}

async function switchTo({ db }: TransactionSession, modelId: number): Promise<void> {
  const ofTask = eq(models.task, sql`(select task from models where id = ${modelId})`);
  // Serializes activations of a task. `register` locks rows in the same order, so neither deadlocks.
  await db
    .select({ id: models.id })
    .from(models)
    .where(ofTask)
    .orderBy(models.digest, models.name)
    .for('update');
  await db
    .update(models)
    .set({ status: statusAfter('replace') })
    .where(and(ofTask, eq(models.status, 'active'), ne(models.id, modelId)));
  const [switched] = await db
    .update(models)
    .set({ status: statusAfter('activate') })
    .where(eq(models.id, modelId))
    .returning({ status: models.status });
  if (switched?.status !== 'active') throw new Error(`Model ${modelId} cannot become active.`);
}

/** The status of a row after an event; unchanged if the event cannot happen. */
function statusAfter(event: ModelEvent): SQL {
  const cases = Object.entries(MODEL_LIFE).map(
    ([status, after]) => sql`when ${status} then ${after[event] ?? status}`,
  );
  return sql`case ${models.status} ${sql.join(cases, sql` `)} end`;
}

/**
 * A manifest may change without the bytes: the row keeps the last one. A model that changes its task
 * is not the active one of its new task.
 */
async function insert(
  { db }: TransactionSession,
  given: readonly ActiveModel[],
): Promise<readonly RegisteredModel[]> {
  return db
    .insert(models)
    .values(
      given.map(({ revision, commercialUse, provides, classes, ...model }) => ({
        ...model,
        digest: revision,
        commercialUse: commercialUse === true,
        provides: [...provides],
        classes: [...classes],
        status: MODEL_LIFE.available.found!,
      })),
    )
    .onConflictDoUpdate({
      target: [models.name, models.digest],
      set: {
        task: sql`excluded.task`,
        version: sql`excluded.version`,
        license: sql`excluded.license`,
        commercialUse: sql`excluded.commercial_use`,
        provides: sql`excluded.provides`,
        embeddingDim: sql`excluded.embedding_dim`,
        classes: sql`excluded.classes`,
        similarityCalibration: sql`excluded.similarity_calibration`,
        status: sql`case when ${models.task} = excluded.task then ${statusAfter('found')}
          else excluded.status end`,
      },
    })
    .returning(COLUMNS);
}

function keyOf({ name, revision }: Pick<ActiveModel, 'name' | 'revision'>): string {
  return `${revision}/${name}`;
}
