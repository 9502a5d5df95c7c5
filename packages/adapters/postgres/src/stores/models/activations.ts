import type {
  ActivationStore,
  ActivationWork,
  BegunActivation,
  PendingActivation,
  EnrolledImage,
  RolledBack,
  LostActivation,
  NewActivation,
  RecentSwitch,
} from '@sightline/core/models/activation-store';
import type { JobProgress } from '@sightline/core/jobs/job';
import { ActivationInProgress, ModelNotDownloaded } from '@sightline/core/models/model-errors';
import type { ModelStatus } from '@sightline/core/models/model-life';
import type { ModelTask } from '@sightline/core/models/model';
import { type ModelSlot, slotOf } from '@sightline/core/models/model-slot';
import { NotFound } from '@sightline/core/store/not-found';
import { sql } from '../../drizzle.ts';
import type { Doors } from '../../doors/doors.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { createJob, insertJob } from '../jobs/create-job.ts';
import { environmentsBehind, isBehind, IS_ENROLLED } from '../reembedding/environments-behind.ts';
import { CANCELLED_JOB } from '../jobs/job-rows.ts';
import { activationWork } from './activation-work.ts';
import { IS_UNFINISHED } from './require-pending.ts';

/** An advisory lock that serializes the requests of activations. */
const LOCK = `SELECT pg_advisory_xact_lock(hashtextextended('sightline.activations', 0))`;

/**
 * The `horizon` of an activation: all transactions with lower ids had ended when the switch happened. After a restore
 * into another cluster, the stored value may be higher than all transaction ids. It is replaced by 0 in that case, so
 * that every event counts as later than the switch.
 */
const HORIZON = sql`case when a.horizon <= pg_snapshot_xmax(pg_current_snapshot())
  then a.horizon else '0'::xid8 end`;

/**
 * How long after a switch to look for rows that were written with the previous model. Such writes are accepted for one
 * minute. The other two minutes are a margin for late writers and outages of workers.
 */
const LOOKED_FOR = sql.raw(`interval '3 minutes'`);

/** Whether `j` is the job of an activation `a`, and was cancelled. */
const WAS_CANCELLED = `j.environment_id = a.job_environment_id AND j.id = a.job_id
  AND j.error = '${CANCELLED_JOB}'`;

export class PostgresActivationStore implements ActivationStore {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async begin(activation: NewActivation): Promise<BegunActivation> {
    const { environmentId, modelId, reembed, actor, isDeclared = false } = activation;
    return this.#doors.withPlatform('models', async (session) => {
      await session.query(LOCK);
      const model = await readModel(session, modelId);
      if (model === undefined) throw new NotFound('model', modelId);
      const slot = slotOf(model);
      await requireNonePending(session, slot);
      if (model.status === 'active') return { kind: 'active' };
      if (model.status !== 'downloaded') {
        throw new ModelNotDownloaded('Download the model before you activate it.');
      }
      const { id: jobId } = await (isDeclared ? insertJob : createJob)(
        { session, environmentId },
        { type: 'activate_model', params: { modelId, reembed }, items: [{ input: {} }], total: 0 },
      );
      await session.query(
        `INSERT INTO activations (slot, model_id, job_environment_id, job_id) VALUES ($1, $2, $3, $4)
         ON CONFLICT (slot) DO UPDATE SET model_id = excluded.model_id,
           job_environment_id = excluded.job_environment_id, job_id = excluded.job_id,
           cancelled_at = NULL, rolled_back = NULL`,
        [slot, modelId, environmentId, jobId],
      );
      const entry = { entity: 'model', action: 'activate', ids: [modelId] } as const;
      await recordAudit(session, { environmentId, actor }, entry);
      return { kind: 'begun', jobId, previousId: model.activeId };
    });
  }

  async enrolledBehind(
    modelId: number,
    { after, limit }: { readonly after: EnrolledImage | null; readonly limit: number },
  ): Promise<readonly EnrolledImage[]> {
    const { environmentId = 0, sourceImageId = 0 } = after ?? {};
    return this.#doors.onPlatform('models', ({ db }) =>
      db
        .selectDistinct({
          environmentId: sql`d.environment_id`.mapWith(Number),
          sourceImageId: sql`d.source_image_id`.mapWith(Number),
        })
        .from(sql`detections d`)
        .where(
          sql`(d.environment_id, d.source_image_id) > (${environmentId}, ${sourceImageId})
            and ${isBehind(modelId)} and ${IS_ENROLLED}`,
        )
        .orderBy(sql`d.environment_id`, sql`d.source_image_id`)
        .limit(limit),
    );
  }

  async work(modelId: number, signal?: AbortSignal): Promise<ActivationWork> {
    return this.#doors.surveyPlatform(
      'models',
      (session) => activationWork(session, modelId),
      signal,
    );
  }

  async countEnrolledBehind(modelId: number): Promise<number> {
    return this.#doors.surveyPlatform('models', async (session) => {
      const behind = await environmentsBehind(session, modelId);
      return behind.reduce((sum, { enrolledImages }) => sum + enrolledImages, 0);
    });
  }

  async pending(): Promise<readonly PendingActivation[]> {
    const rows = await this.#doors.onPlatform('models', (session) =>
      session.query<Omit<PendingActivation, 'progress'> & JobProgress>(
        `SELECT a.slot, a.model_id AS "modelId", j.id AS "jobId", j.total, j.done, j.failed
         FROM activations a JOIN jobs j ON j.environment_id = a.job_environment_id AND j.id = a.job_id
         WHERE ${IS_UNFINISHED} ORDER BY a.slot`,
      ),
    );
    return rows.map(({ slot, modelId, jobId, ...progress }) => ({
      slot,
      modelId,
      jobId,
      progress,
    }));
  }

  async behindSinceSwitch(modelId: number): Promise<readonly number[]> {
    const changed = sql`(
      select distinct o.environment_id, (o.data ->> 'detection_id')::bigint as id
      from outbox o, models m, activations a
      where m.id = ${modelId} and m.status = 'active'
        and (a.slot = 'face') = (m.task = 'face') and a.switched_at > now() - ${LOOKED_FOR}
        and o.xid >= ${HORIZON} and o.data ->> 'detection_id' is not null) changed`;
    return this.#doors.onPlatform('models', async ({ db }) => {
      const rows = await db
        .selectDistinct({ id: sql`d.environment_id`.mapWith(Number) })
        .from(changed)
        .innerJoin(
          sql`detections d`,
          sql`d.environment_id = changed.environment_id and d.id = changed.id`,
        )
        .where(isBehind(modelId));
      return rows.map(({ id }) => id);
    });
  }

  async recentSwitch(slot: ModelSlot): Promise<RecentSwitch | null> {
    const [row] = await this.#doors.onPlatform('models', (session) =>
      session.query<RecentSwitch>(
        `SELECT m.id AS "modelId", a.previous_id AS "previousId"
         FROM activations a JOIN models m
           ON m.status = 'active' AND (m.task = 'face') = (a.slot = 'face')
         WHERE a.slot = $1 AND a.switched_at > now() - interval '60 seconds'
           AND a.previous_id <> m.id AND a.rolled_back IS NULL`,
        [slot],
      ),
    );
    return row ?? null;
  }

  async rolledBack(signal?: AbortSignal): Promise<readonly RolledBack[]> {
    return this.#doors.onPlatform(
      'models',
      (session) =>
        session.query<RolledBack>(
          `SELECT a.slot, encode(m.digest, 'hex') AS revision, a.rolled_back AS reason
           FROM activations a JOIN models m ON m.id = a.previous_id
           WHERE a.rolled_back IS NOT NULL ORDER BY a.slot`,
        ),
      signal,
    );
  }

  async lost(signal?: AbortSignal): Promise<readonly LostActivation[]> {
    const cancelled = await this.#doors.withPlatform(
      'models',
      async (session) => {
        await session.query(
          `UPDATE activations a SET cancelled_at = coalesce(j.finished_at, now()) FROM jobs j
           WHERE a.cancelled_at IS NULL AND ${WAS_CANCELLED}`,
        );
        return session.query<LostActivation>(
          `SELECT a.slot, encode(m.digest, 'hex') AS revision, NULL AS reason
           FROM activations a JOIN models m ON m.id = a.model_id
           WHERE m.status <> 'active' AND a.cancelled_at > coalesce(a.switched_at, '-infinity')
           ORDER BY a.slot`,
        );
      },
      signal,
    );
    return [...(await this.rolledBack(signal)), ...cancelled];
  }

  async allowRetry(slot: ModelSlot): Promise<boolean> {
    return this.#doors.withPlatform('models', async (session) => {
      await session.query(
        `UPDATE activations SET job_environment_id = NULL, job_id = NULL, cancelled_at = NULL
         WHERE slot = $1 AND cancelled_at IS NOT NULL`,
        [slot],
      );
      await session.query(
        `UPDATE activations SET rolled_back = NULL
         WHERE slot = $1 AND switched_at < now() - interval '60 seconds'`,
        [slot],
      );
      const left = await session.query(
        'SELECT FROM activations WHERE slot = $1 AND rolled_back IS NOT NULL',
        [slot],
      );
      return left.length === 0;
    });
  }
}

interface ModelRow {
  readonly task: ModelTask;
  readonly status: ModelStatus;
  readonly activeId: number | null;
}

async function readModel(
  session: TransactionSession,
  modelId: number,
): Promise<ModelRow | undefined> {
  const [row] = await session.query<ModelRow>(
    `SELECT m.task, m.status, (
       SELECT id FROM models a WHERE a.status = 'active' AND (a.task = 'face') = (m.task = 'face')
     ) AS "activeId"
     FROM models m WHERE m.id = $1`,
    [modelId],
  );
  return row;
}

async function requireNonePending(session: TransactionSession, slot: ModelSlot): Promise<void> {
  const pending = await session.query(
    `SELECT FROM activations a JOIN jobs j
       ON j.environment_id = a.job_environment_id AND j.id = a.job_id
     WHERE a.slot = $1 AND ${IS_UNFINISHED}`,
    [slot],
  );
  if (pending.length > 0) {
    throw new ActivationInProgress();
  }
}
