import type { ActiveModel, ModelTask } from '@sightline/core/models/model';
import type { ModelStore, RegisteredModel } from '@sightline/core/models/model-store';
import { sql } from '../drizzle.ts';
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
    const rows = await this.#doors.withPlatform('models', (session) => insert(session, distinct));
    const byKey = new Map(rows.map((row) => [keyOf(row), row]));
    return given.map((model) => byKey.get(keyOf(model))!);
  }

  async active(signal?: AbortSignal): Promise<readonly RegisteredModel[]> {
    return this.#doors.onPlatform<RegisteredModel>(
      'models',
      {
        text: `SELECT m.id, m.name, encode(m.digest, 'hex') AS revision, m.task, m.version, m.license,
                 m.commercial_use AS "commercialUse", m.provides, m.embedding_dim AS "embeddingDim",
                 m.classes, m.similarity_calibration AS "similarityCalibration"
               FROM active_models a JOIN models m ON m.id = a.model_id ORDER BY a.task`,
      },
      signal,
    );
  }

  async activate(task: ModelTask, modelId: number): Promise<void> {
    await this.#doors.withPlatform('models', ({ db }) =>
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

/** What a manifest says beside the bytes may change: the row tells what was loaded last. */
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
