import { isDeepStrictEqual } from 'node:util';
import type { ActiveModel } from '@sightline/core/models/model';
import { MODEL_LIFE } from '@sightline/core/models/model-life';
import { slotOf } from '@sightline/core/models/model-slot';
import type {
  ActivateOptions,
  AdoptedModels,
  EnvironmentBehind,
  ForeignModel,
  JobsForBehind,
  ModelRoles,
  ModelStore,
  RegisteredModel,
} from '@sightline/core/models/model-store';
import { and, asc, eq, isNull, ne, sql } from '../../drizzle.ts';
import type { Doors } from '../../doors/doors.ts';
import { slotLockKey } from '../../doors/lock-plan.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { models } from '../../schema/models.ts';
import { adoptModels, deleteUnused } from './foreign-models.ts';
import { foreignJoins, joinVectors } from './join-foreign.ts';
import { takeCatalogRows } from './catalog-rows.ts';
import { columnsWithout } from '../database/columns-without.ts';
import { behindSince, environmentsBehind } from '../reembedding/environments-behind.ts';
import { requirePending } from './require-pending.ts';
import { lockCreation } from '../jobs/job-rows.ts';
import { COUNTS_FOR, noteSwitch } from './model-switches.ts';
import { statusAfter } from './model-status.ts';
import { createReembeds, endReembedsOfOtherModels } from '../reembedding/reembed-jobs.ts';

/** The digest of a model whose files were found. Such models always have one. */
const DIGEST = sql<string>`${models.digest}`.mapWith(models.digest);

const COLUMNS = {
  ...columnsWithout(
    models,
    'environmentId',
    'digest',
    'commercialUse',
    'commercialUseReason',
    'files',
    'sizeBytes',
    'status',
    'error',
    'downloadJobId',
    'createdAt',
  ),
  revision: DIGEST,
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
    const rows = await this.#doors.withPlatform('models', (session) => insert(session, distinct));
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

  async roles(signal?: AbortSignal): Promise<ModelRoles> {
    const rows = await this.#doors.onPlatform(
      'models',
      ({ db }) =>
        db
          .select({ ...COLUMNS, is: ROLES })
          .from(models)
          .where(sql`${ROLES.active} or ${ROLES.pending} or ${ROLES.previous}`)
          .orderBy(asc(models.task)),
      signal,
    );
    const having = (role: keyof ModelRoles) =>
      rows.flatMap(({ is, ...model }) => (is[role] ? [model] : []));
    return { active: having('active'), pending: having('pending'), previous: having('previous') };
  }

  /**
   * Finds faces without embeddings of the model in two steps to keep the transaction short, because requests cannot
   * store anything while it runs. The first step looks through all environments before the transaction. The second
   * step, within the transaction, looks only at faces that had events since the first.
   */
  async activate(
    modelId: number,
    { jobsFor, mayBeBehind = Infinity, rolledBack, whilePending = false }: ActivateOptions = {},
  ): Promise<boolean> {
    const before = jobsFor && (await this.#lookThrough(modelId));
    const attempt = this.#doors.withPlatform('models', async (session) => {
      await switchTo(session, modelId, rolledBack ?? null);
      if (whilePending) await requirePending(session, modelId);
      await endReembedsOfOtherModels(session, modelId);
      if (jobsFor === undefined || before === undefined) return;
      const since = await behindSince(session, modelId, before.snapshot);
      const behind = together([...before.behind, ...since]);
      const enrolled = behind.reduce((sum, { enrolledImages }) => sum + enrolledImages, 0);
      if (enrolled > mayBeBehind) throw new TooManyBehind();
      await createReembeds(session, jobsFor(behind));
    });
    return attempt.then(
      () => true,
      (error: unknown) => {
        if (error instanceof TooManyBehind) return false;
        throw error;
      },
    );
  }

  async adopt(
    environmentId: number,
    foreign: readonly ForeignModel[],
    most: number,
  ): Promise<AdoptedModels> {
    if (foreign.length === 0) return { kind: 'adopted', ids: [] };
    return this.#doors.withPlatform('models', (session) =>
      adoptModels(session, { environmentId, foreign, most }),
    );
  }

  async joinForeign(signal?: AbortSignal): Promise<void> {
    const joins = await this.#doors.onPlatform('models', foreignJoins, signal);
    for (const join of joins) await joinVectors(this.#doors, join, signal);
    await this.#doors.onPlatform('models', (session) => deleteUnused(session), signal);
  }

  async backfill(
    { environmentId, modelId }: { readonly environmentId: number; readonly modelId: number },
    jobsFor: JobsForBehind,
  ): Promise<void> {
    await this.#doors.withPlatform('models', async (session) => {
      // The row lock keeps this model active until the transaction ends.
      const [active] = await session.db
        .select({ id: models.id })
        .from(models)
        .where(and(eq(models.id, modelId), eq(models.status, 'active')))
        .for('share');
      if (active === undefined) return;
      await lockCreation(session, environmentId);
      const behind = await environmentsBehind(session, modelId, environmentId);
      await createReembeds(session, jobsFor(behind));
    });
  }

  async #lookThrough(modelId: number): Promise<{
    readonly snapshot: string;
    readonly behind: readonly EnvironmentBehind[];
  }> {
    return this.#doors.surveyPlatform('models', async (session) => {
      const [row] = await session.query<{ snapshot: string }>(
        'SELECT pg_current_snapshot()::text AS snapshot',
      );
      return { snapshot: row!.snapshot, behind: await environmentsBehind(session, modelId) };
    });
  }
}

/** Rolls back the transaction of a switch that would leave more images without embeddings than the caller allows. */
class TooManyBehind extends Error {}

/** A model has both roles `pending` and `previous` if a caller requests the model that was just replaced. */
const ROLES = {
  active: sql<boolean>`${models.status} = 'active'`,
  pending: sql<boolean>`exists (
    select from activations a
    join jobs j on j.environment_id = a.job_environment_id and j.id = a.job_id
    where a.model_id = models.id and models.status <> 'active'
      and j.status in ('pending', 'running') and j.error is null)`,
  previous: sql<boolean>`exists (
    select from activations a
    where a.previous_id = models.id and models.status <> 'active'
      and a.switched_at > now() - ${COUNTS_FOR})`,
};

/** Adds up the images of each environment. An image that both steps found counts twice. */
function together(found: readonly EnvironmentBehind[]): readonly EnvironmentBehind[] {
  const byEnvironment = new Map<number, EnvironmentBehind>();
  for (const { environmentId, images, enrolledImages } of found) {
    const known = byEnvironment.get(environmentId) ?? { images: 0, enrolledImages: 0 };
    byEnvironment.set(environmentId, {
      environmentId,
      images: known.images + images,
      enrolledImages: known.enrolledImages + enrolledImages,
    });
  }
  return [...byEnvironment.values()].sort((a, b) => a.environmentId - b.environmentId);
}

async function switchTo(
  session: TransactionSession,
  modelId: number,
  rolledBack: string | null,
): Promise<void> {
  const { db } = session;
  await untilNoneStores(session, modelId);
  const ofTask = sql`(${models.task} = 'face')
    = (select task = 'face' from models where id = ${modelId})`;
  const replaced = sql`${ofTask} and ${models.status} = 'active'`;
  // `register` locks these rows in the same order, so the two cannot deadlock.
  await db
    .select({ id: models.id })
    .from(models)
    .where(sql`${models.id} = ${modelId} or ${replaced}`)
    .orderBy(models.digest, models.name)
    .for('update');
  await noteSwitch(session, modelId, rolledBack);
  await db
    .update(models)
    .set({ status: statusAfter('replace') })
    .where(and(replaced, ne(models.id, modelId)));
  const [switched] = await db
    .update(models)
    .set({ status: statusAfter('activate') })
    .where(eq(models.id, modelId))
    .returning({ status: models.status });
  if (switched?.status !== 'active') throw new Error(`Model ${modelId} cannot become active.`);
}

/**
 * Waits for transactions that are storing results of the active model, and for another switch of the slot. Later ones wait
 * for this transaction, and fail if their model was replaced. This function runs before the rows of the models are
 * locked, because foreign keys make storing transactions lock those rows too.
 */
async function untilNoneStores(session: TransactionSession, modelId: number): Promise<void> {
  const [model] = await session.db
    .select({ task: models.task })
    .from(models)
    .where(eq(models.id, modelId));
  if (model === undefined)
    throw new Error(`Model ${modelId} does not exist, so it cannot become active.`);
  await session.query('SELECT pg_advisory_xact_lock($1)', [String(slotLockKey(slotOf(model)))]);
}

/**
 * Inserts or updates models. If only the manifest of a model has changed, its row gets the new manifest. A model whose
 * manifest names another task is not active for the new task.
 */
async function insert(
  session: TransactionSession,
  given: readonly ActiveModel[],
): Promise<readonly RegisteredModel[]> {
  await takeCatalogRows(session, given);
  const before = await session.db.select(COLUMNS).from(models).where(isNull(models.environmentId));
  const rows = await session.db
    .insert(models)
    .values(
      given.map(({ revision, commercialUse, provides, classes, ...model }) => ({
        ...model,
        digest: revision,
        commercialUse: commercialUse === 'unknown' ? null : commercialUse,
        provides: [...provides],
        classes: [...classes],
        status: MODEL_LIFE.available.found!,
      })),
    )
    .onConflictDoUpdate({
      target: [models.environmentId, models.name, models.digest],
      set: {
        task: sql`excluded.task`,
        version: sql`excluded.version`,
        license: sql`excluded.license`,
        commercialUse: sql`excluded.commercial_use`,
        commercialUseReason: sql`excluded.commercial_use_reason`,
        provides: sql`excluded.provides`,
        embeddingDim: sql`excluded.embedding_dim`,
        classes: sql`excluded.classes`,
        similarityCalibration: sql`excluded.similarity_calibration`,
        status: sql`case when ${models.task} = excluded.task then ${statusAfter('found')}
          else excluded.status end`,
        error: null,
      },
    })
    .returning(COLUMNS);
  const calibrated = rows.filter((row) => {
    const old = before.find(({ id }) => id === row.id);
    const { similarityCalibration: knots } = row;
    return old !== undefined && !isDeepStrictEqual(old.similarityCalibration, knots);
  });
  if (calibrated.length === 0) return rows;
  // Suggestions and scores are stored in the scale of the calibration.
  await session.query(
    `UPDATE followed_spaces SET scanned_to = 0, is_settled = false, turn = turn + 1
     WHERE model_id = ANY ($1::bigint[])`,
    [calibrated.map(({ id }) => id)],
  );
  return rows;
}

function keyOf({ name, revision }: Pick<ActiveModel, 'name' | 'revision'>): string {
  return `${revision}/${name}`;
}
