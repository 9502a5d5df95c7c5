import type { ActiveModel, ModelTask } from '@sightline/core/models/model';
import type { ModelStore, RegisteredModel } from '@sightline/core/models/model-store';
import { asc, eq, sql } from '../drizzle.ts';
import type { Doors } from '../doors/doors.ts';
import type { TransactionSession } from '../doors/transaction-session.ts';
import { activeModels, models } from '../schema/models.ts';
import { columnsWithout } from './columns-without.ts';

const COLUMNS = {
  ...columnsWithout(models, 'digest', 'sourceUrl', 'sizeBytes', 'status', 'error', 'createdAt'),
  revision: models.digest,
};

export class PostgresModelStore implements ModelStore {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async register(given: readonly ActiveModel[]): Promise<readonly RegisteredModel[]> {
    if (given.length === 0) return [];
    const distinct = [...new Map(given.map((model) => [keyOf(model), model])).values()];
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
          .from(activeModels)
          .innerJoin(models, eq(models.id, activeModels.modelId))
          .orderBy(asc(activeModels.task)),
      signal,
    );
  }

  async activate(task: ModelTask, modelId: number): Promise<void> {
    await this.#doors.onPlatform('models', ({ db }) =>
      db
        .insert(activeModels)
        .values({ task, modelId })
        .onConflictDoUpdate({
          target: activeModels.task,
          set: { modelId, activatedAt: sql`now()` },
        }),
    );
  }
}

/** A manifest may change while the bytes stay: the row has what was loaded last. */
async function insert(
  { db }: TransactionSession,
  given: readonly ActiveModel[],
): Promise<readonly RegisteredModel[]> {
  return db
    .insert(models)
    .values(
      given.map(({ revision, provides, classes, ...model }) => ({
        ...model,
        digest: revision,
        provides: [...provides],
        classes: [...classes],
        status: 'downloaded' as const,
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
        status: sql`excluded.status`,
      },
    })
    .returning(COLUMNS);
}

function keyOf({ name, revision }: Pick<ActiveModel, 'name' | 'revision'>): string {
  return `${revision}/${name}`;
}
