import type { Job, JobType, NewItem, NewJob } from '@sightline/core/jobs/job';
import { ClaimLost, JobFinished, JobUnfinished } from '@sightline/core/jobs/job-errors';
import type { EndedItem, ItemClaim, ItemEnd, ListedItem } from '@sightline/core/jobs/job-item';
import type {
  ItemPage,
  JobPage,
  JobReader,
  JobWriter,
  WorkStep,
} from '@sightline/core/jobs/job-store';
import type { SourceFilter } from '@sightline/core/sources/source-store';
import { NotFound } from '@sightline/core/store/not-found';
import type { Page } from '@sightline/core/store/page';
import { createJob, requireRoom } from './create-job.ts';
import { insertItemsOf } from './items-of-images.ts';
import {
  advanceItem,
  CANCELLED,
  CANCELLED_JOB,
  endItem,
  endJob,
  FORGET_CREDENTIALS,
  IS_COUNTED_BY_WORK,
  IS_HELD,
  JOB_COLUMNS,
  valuesOf,
} from './job-rows.ts';
import type { ReadContext } from '../database/store-context.ts';
import { takePage } from '../database/take-page.ts';

type ItemQuery = Parameters<JobReader['endedItems']>[1];

const STATES = { pending: 'pending', running: 'running', done: 'done', failed: 'failed' } as const;

export class PostgresJobReader implements JobReader {
  protected readonly context: ReadContext;

  constructor(context: ReadContext) {
    this.context = context;
  }

  async list({ type, status, before, limit }: JobPage): Promise<Page<Job>> {
    const rows = await this.context.session.query<Job>(
      `SELECT ${JOB_COLUMNS} FROM jobs j
       WHERE j.environment_id = $1 AND ($2::bigint IS NULL OR j.id < $2)
         AND ($4::text IS NULL OR j.type = $4) AND ($5::text IS NULL OR j.status = $5)
       ORDER BY j.id DESC LIMIT $3`,
      [this.context.environmentId, before, limit + 1, type, status],
    );
    return takePage(rows, limit);
  }

  async byId(id: number): Promise<Job | null> {
    const [job] = await this.#jobs(id);
    return job ?? null;
  }

  async unfinishedDownload(modelId: number): Promise<Job | null> {
    const [job] = await this.context.session.query<Job>(
      `SELECT ${JOB_COLUMNS} FROM jobs j
       WHERE j.environment_id = $1 AND j.type = 'model_download' AND j.params = $2
         AND j.status IN ('pending', 'running') AND j.error IS NULL
       ORDER BY j.id LIMIT 1`,
      [this.context.environmentId, JSON.stringify({ modelId })],
    );
    return job ?? null;
  }

  requireRoom(): Promise<void> {
    return requireRoom(this.context);
  }

  async endedItems(id: number, { after, limit }: ItemQuery): Promise<readonly EndedItem[]> {
    return this.context.session.query<EndedItem>(
      `SELECT i.index, i.input, i.result, i.error FROM job_items i
       WHERE i.environment_id = $1 AND i.job_id = $2 AND i.index > $3
         AND i.state IN ('done', 'failed')
       ORDER BY i.index LIMIT $4`,
      [this.context.environmentId, id, after, limit],
    );
  }

  async items(id: number, { state, after, limit }: ItemPage): Promise<Page<ListedItem>> {
    // The state is part of the text, so that the planner can use the index of this state.
    const ofState = state === undefined ? '' : `AND i.state = '${STATES[state]}'`;
    const rows = await this.context.session.query<ListedItem>(
      `SELECT i.index, i.input, i.result, i.error, i.state, i.finished_at AS "finishedAt"
       FROM job_items i
       WHERE i.environment_id = $1 AND i.job_id = $2 AND i.index > $3 ${ofState}
       ORDER BY i.index LIMIT $4`,
      [this.context.environmentId, id, after, limit + 1],
    );
    return takePage(rows, limit);
  }

  /** Locks the job until the end of the transaction. */
  protected async lock(id: number): Promise<Job> {
    const [job] = await this.#jobs(id, 'FOR NO KEY UPDATE');
    if (job === undefined) throw new NotFound('job', id);
    return job;
  }

  #jobs(id: number, lock = ''): Promise<readonly Job[]> {
    return this.context.session.query<Job>(
      `SELECT ${JOB_COLUMNS} FROM jobs j WHERE j.environment_id = $1 AND j.id = $2 ${lock}`,
      [this.context.environmentId, id],
    );
  }
}

export class PostgresJobWriter extends PostgresJobReader implements JobWriter {
  async create<T extends JobType>(job: NewJob<T>): Promise<Job<T>> {
    const created = await createJob(this.context, job);
    if (job.items.length > 0) return created;
    await endJob(this.context.session, created as Job);
    return (await this.byId(created.id)) as Job<T>;
  }

  async createForImages(
    job: Pick<NewJob<'bulk_images'>, 'type' | 'params'>,
    filter: SourceFilter,
  ): Promise<Job<'bulk_images'>> {
    const created = await createJob(this.context, { ...job, items: [] });
    await insertItemsOf(this.context.session, created.id, filter);
    const counted = (await this.byId(created.id)) as Job<'bulk_images'>;
    if (counted.total > 0) return counted;
    await endJob(this.context.session, counted);
    return (await this.byId(created.id)) as Job<'bulk_images'>;
  }

  async advance(claim: ItemClaim, step: WorkStep): Promise<void> {
    await advanceItem(this.context.session, claim, step);
  }

  /** Locks the item, so that no other process can claim it. Heartbeats of the item can still update it. */
  async requireHeld(claim: ItemClaim): Promise<void> {
    const held = await this.context.session.query(
      `SELECT FROM job_items i WHERE ${IS_HELD} FOR KEY SHARE`,
      valuesOf(claim),
    );
    if (held.length === 0) throw new ClaimLost();
  }

  async endItem(claim: ItemClaim, end: ItemEnd): Promise<void> {
    await endItem(this.context.session, claim, end);
  }

  async cancel(id: number): Promise<{ readonly job: Job; readonly files: readonly string[] }> {
    if (isFinished(await this.lock(id))) throw new JobFinished();
    const { count, files } = await this.#failWaiting(id);
    const job = await this.#countCancelled(id, count);
    if (job.isLast) await endJob(this.context.session, job);
    return { job: (await this.byId(id))!, files };
  }

  async takeFailed(
    id: number,
    types: ReadonlySet<JobType>,
  ): Promise<{ readonly job: Job; readonly items: readonly NewItem[] }> {
    const job = await this.lock(id);
    if (!isFinished(job)) throw new JobUnfinished();
    if (!types.has(job.type)) return { job, items: [] };
    const { session, environmentId } = this.context;
    const failed = await session.query<NewItem & { readonly key: string | null }>(
      `SELECT i.input, i.upload_key AS key FROM job_items i
       WHERE i.environment_id = $1 AND i.job_id = $2 AND i.state = 'failed' ORDER BY i.index`,
      [environmentId, id],
    );
    await session.query(
      `UPDATE job_items i SET upload_key = NULL
       WHERE i.environment_id = $1 AND i.job_id = $2 AND i.state = 'failed'
         AND i.upload_key IS NOT NULL`,
      [environmentId, id],
    );
    const items = failed.map(({ input, key }) =>
      key === null ? { input } : { input, uploadKey: key },
    );
    return { job, items };
  }

  async remove(id: number): Promise<{ readonly files: readonly string[] }> {
    const job = await this.lock(id);
    if (!isFinished(job)) throw new JobUnfinished();
    const { session, environmentId } = this.context;
    const uploads = await session.query<{ key: string }>(
      `SELECT upload_key AS key FROM job_items
       WHERE environment_id = $1 AND job_id = $2 AND upload_key IS NOT NULL`,
      [environmentId, id],
    );
    await session.query('DELETE FROM jobs WHERE environment_id = $1 AND id = $2', [
      environmentId,
      id,
    ]);
    const files = uploads.map(({ key }) => key);
    return { files: job.resultsKey === null ? files : [...files, job.resultsKey] };
  }

  /** Fails the items that no process works on. Returns their number, and the media keys of their uploads. */
  async #failWaiting(
    id: number,
  ): Promise<{ readonly count: number; readonly files: readonly string[] }> {
    const [row] = await this.context.session.query<{ count: number; files: string[] | null }>(
      `WITH failed AS (
         UPDATE job_items i SET state = 'failed', error = $3::json, ${FORGET_CREDENTIALS},
           upload_key = NULL, token = NULL, holder = NULL, lease_until = NULL, finished_at = now()
         WHERE environment_id = $1 AND job_id = $2
           AND (state = 'pending' OR state = 'running' AND lease_until < now())
         RETURNING old.upload_key AS key)
       SELECT count(*) AS count, array_agg(key) FILTER (WHERE key IS NOT NULL) AS files FROM failed`,
      [this.context.environmentId, id, JSON.stringify(CANCELLED)],
    );
    return { count: row!.count, files: row!.files ?? [] };
  }

  /**
   * Counts the items of a cancelled job: only running items are left to do. The job ends when the last of them ends, or
   * at once if no item is running.
   */
  async #countCancelled(
    id: number,
    cancelled: number,
  ): Promise<Job & { readonly isLast: boolean }> {
    const { session, environmentId } = this.context;
    const [row] = await session.query<{ atWork: number }>(
      `SELECT count(*) AS "atWork" FROM job_items
       WHERE environment_id = $1 AND job_id = $2 AND state = 'running'`,
      [environmentId, id],
    );
    const [job] = await session.query<Job>(
      `UPDATE jobs j SET error = '${CANCELLED_JOB}', listed_to = NULL, moved_at = now(),
         failed = CASE WHEN NOT ${IS_COUNTED_BY_WORK} THEN j.failed + $3
           WHEN $4 = 0 THEN j.total - j.done ELSE j.failed END,
         total = CASE WHEN ${IS_COUNTED_BY_WORK} THEN j.total
           ELSE j.done + j.failed + $3 + $4 END
       WHERE j.environment_id = $1 AND j.id = $2 RETURNING ${JOB_COLUMNS}`,
      [environmentId, id, cancelled, row!.atWork],
    );
    return { ...job!, isLast: row!.atWork === 0 };
  }
}

function isFinished({ finishedAt }: Job): boolean {
  return finishedAt !== null;
}
