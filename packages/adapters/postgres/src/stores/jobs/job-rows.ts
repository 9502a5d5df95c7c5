import {
  COUNTED_BY_WORK,
  type ItemFailure,
  JOB_TYPES,
  type Job,
  type JobType,
  RESULTS_KEPT_DAYS,
} from '@sightline/core/jobs/job';
import { ClaimLost } from '@sightline/core/jobs/job-errors';
import type { ItemClaim, ItemEnd } from '@sightline/core/jobs/job-item';
import type { WorkStep } from '@sightline/core/jobs/job-store';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { emitEvents } from '../events/outbox.ts';

/** The advisory lock under which jobs of an environment are counted and created. The number is arbitrary. */
const CREATION_LOCK = 7_446_117;

/** Keeps other transactions from creating jobs of the environment until this transaction ends. */
export async function lockCreation(
  session: TransactionSession,
  environmentId: number,
): Promise<void> {
  await session.query(`SELECT pg_advisory_xact_lock(${CREATION_LOCK}, hashint8($1))`, [
    environmentId,
  ]);
}

const HAVE_RESULTS: Readonly<Record<JobType, boolean>> = {
  reembed: false,
  bulk_detect: true,
  reprocess: true,
  export: true,
  import: true,
  activate_model: false,
  model_download: false,
  bulk_review: true,
  bulk_detections: true,
  bulk_images: false,
  undo: true,
};

export const JOB_COLUMNS = `j.id, j.environment_id AS "environmentId", j.type, j.status, j.total,
  j.done, j.failed, j.params, j.error, j.results_key AS "resultsKey",
  j.operation_id AS "operationId", j.worked_to AS "workedTo",
  j.finished_at IS NOT NULL AND NOT j.is_pruned
    AND j.type IN (${listOf(JOB_TYPES.filter((type) => HAVE_RESULTS[type]))})
    AND j.finished_at > now() - interval '${RESULTS_KEPT_DAYS} days' AS "hasResults",
  j.created_at AS "createdAt", j.finished_at AS "finishedAt"`;

/**
 * Whether a claim still holds its item. The first four parameters are the claim's environment, job, index and token.
 */
export const IS_HELD = `i.environment_id = $1 AND i.job_id = $2 AND i.index = $3 AND i.token = $4
  AND i.state = 'running'`;

/**
 * Locks the job of a claim before its item. Every transaction that changes a job and its items takes the locks in this
 * order, so that they cannot deadlock.
 */
const LOCKED_JOB = `
  SELECT environment_id, id FROM jobs WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE`;

/**
 * Like {@link LOCKED_JOB}, with the number by which the counters $6 and $7 exceed the stored ones: how much further the job
 * gets than ever before.
 */
export const LOCKED_JOB_AHEAD = `
  SELECT environment_id, id, $6::integer + $7::integer - done - failed AS ahead
  FROM jobs WHERE environment_id = $1 AND id = $2 FOR NO KEY UPDATE`;

/**
 * If a job gets further than ever before, its item `i` does not kill processes: its deaths count from 0 again, and other
 * items may begin beside it.
 */
export const FORGET_DEATHS = `
  deaths = CASE WHEN job.ahead > 0 THEN 0 ELSE i.deaths END,
  lost_trials = CASE WHEN job.ahead > 0 THEN 0 ELSE i.lost_trials END,
  alone_until = CASE WHEN job.ahead > 0 THEN NULL ELSE i.alone_until END,
  is_alone_everywhere = i.is_alone_everywhere AND job.ahead <= 0`;

/** Whether a job `j` gets its counters from the reports of its work, instead of counting its items. */
export const IS_COUNTED_BY_WORK = `j.type IN (${listOf([...COUNTED_BY_WORK])})`;

/** The error of items that had not begun when their job was cancelled. */
export const CANCELLED: ItemFailure = {
  code: 'cancelled',
  detail: 'The job was cancelled before this item began.',
};

export const CANCELLED_JOB = 'cancelled';

function listOf(types: readonly JobType[]): string {
  return types.map((type) => `'${type}'`).join(', ');
}

export function valuesOf({ environmentId, jobId, index, token }: ItemClaim): readonly unknown[] {
  return [environmentId, jobId, index, token];
}

/**
 * The pattern of the member with the credentials in the input of an item. The operators of JSON refuse null characters,
 * which file names in the input may contain. Within a text of JSON, a backslash precedes each quotation mark, so the
 * pattern matches the member alone.
 */
export const CREDENTIALS = ',"credentials":"([^"]*)"';

/** Sets the input of an item `i` that ends, without the credentials of its URL. */
export const FORGET_CREDENTIALS = `
  input = regexp_replace(i.input::text, '${CREDENTIALS}', '')::json`;

/**
 * Ends an item and updates the counters of its job. The last item also ends the job and announces its end. An item that
 * failed keeps its upload, unless its job was cancelled.
 *
 * @throws ClaimLost if the claim no longer holds the item
 */
export async function endItem(
  session: TransactionSession,
  claim: ItemClaim,
  end: ItemEnd,
): Promise<void> {
  const [job] = await session.prepared<Job & { readonly isLast: boolean }>(
    'end-item',
    `WITH job AS MATERIALIZED (${LOCKED_JOB}
     ), ended AS (
       UPDATE job_items i
       SET state = CASE WHEN $6::json IS NULL THEN 'done' ELSE 'failed' END,
           result = coalesce($5::json, i.result),
           error = $6::json, ${FORGET_CREDENTIALS},
           upload_key = CASE WHEN $11 THEN i.upload_key END, token = NULL,
           holder = NULL, lease_until = NULL, finished_at = now()
       FROM job WHERE ${IS_HELD} AND i.environment_id = job.environment_id AND i.job_id = job.id
       RETURNING i.environment_id, i.job_id
     )
     UPDATE jobs j SET ${IS_COUNTED_BY_WORK_SET},
       status = 'running', results_key = coalesce($10, j.results_key),
       started_at = coalesce(j.started_at, now()), moved_at = now()
     FROM ended WHERE j.environment_id = ended.environment_id AND j.id = ended.job_id
     RETURNING ${JOB_COLUMNS}, j.listed_to IS NULL AND j.done + j.failed = j.total AS "isLast"`,
    [...valuesOf(claim), ...valuesOfEnd(end)],
  );
  if (job === undefined) throw new ClaimLost();
  if (job.isLast) await endJob(session, job);
}

/**
 * Stores how far the work of an item has got. The counters change with the effect of the work, so that a process that
 * takes the item over counts nothing twice.
 *
 * @throws ClaimLost if the claim no longer holds the item
 */
export async function advanceItem(
  session: TransactionSession,
  claim: ItemClaim,
  { progress, workedTo, result }: WorkStep,
): Promise<void> {
  const { total, done, failed } = progress;
  const advanced = await session.query(
    `WITH job AS MATERIALIZED (${LOCKED_JOB_AHEAD}
     ), held AS (
       UPDATE job_items i SET result = coalesce($9::json, i.result), ${FORGET_DEATHS}
       FROM job WHERE ${IS_HELD} AND i.environment_id = job.environment_id AND i.job_id = job.id
       RETURNING i.environment_id, i.job_id
     )
     UPDATE jobs j SET total = $5, done = $6, failed = $7, worked_to = coalesce($8, j.worked_to),
       moved_at = now()
     FROM held WHERE j.environment_id = held.environment_id AND j.id = held.job_id RETURNING j.id`,
    [...valuesOf(claim), total, done, failed, workedTo ?? null, toJson(result)],
  );
  if (advanced.length === 0) throw new ClaimLost();
}

function valuesOfEnd({ result, error, progress, resultsKey }: ItemEnd): readonly unknown[] {
  const jobError = error?.code === CANCELLED.code ? CANCELLED_JOB : error?.detail;
  const keepsUpload = error !== undefined && error.code !== CANCELLED.code;
  return [
    toJson(result),
    toJson(error),
    progress?.total,
    progress?.done,
    jobError,
    resultsKey,
    keepsUpload,
  ];
}

function toJson(value: unknown): string | null {
  return value === undefined || value === null ? null : JSON.stringify(value);
}

/**
 * Sets the counters when an item ends. A job that counts its items advances by one. A job whose work reports the
 * counters ends with this item, and fails if the item failed or the job was cancelled.
 */
const IS_COUNTED_BY_WORK_SET = `
  total = CASE WHEN ${IS_COUNTED_BY_WORK} THEN coalesce($7, j.total) ELSE j.total END,
  done = CASE
    WHEN NOT ${IS_COUNTED_BY_WORK} THEN j.done + ($6::json IS NULL)::int
    WHEN $6::json IS NULL AND $8::int IS NULL THEN j.total - j.failed
    ELSE coalesce($8, j.done) END,
  failed = CASE
    WHEN NOT ${IS_COUNTED_BY_WORK} THEN j.failed + ($6::json IS NOT NULL)::int
    WHEN $6::json IS NULL AND $8::int IS NULL THEN j.failed
    ELSE coalesce($7, j.total) - coalesce($8, j.done) END,
  error = CASE WHEN ${IS_COUNTED_BY_WORK} THEN coalesce(j.error, $9) ELSE j.error END`;

/** Ends a job whose items have all ended, and emits the event of its end. */
export async function endJob(session: TransactionSession, job: Job): Promise<void> {
  const { environmentId, id, type, total, done, failed, error } = job;
  const status = error === null ? 'done' : 'failed';
  await session.query(
    `UPDATE jobs SET status = $3, finished_at = now(), paused_until = NULL
     WHERE environment_id = $1 AND id = $2`,
    [environmentId, id, status],
  );
  if (type === 'reembed') {
    await session.query(
      'DELETE FROM embedding_backlogs WHERE environment_id = $1 AND job_id = $2',
      [environmentId, id],
    );
  }
  const facts = { jobId: id, type, status, total, done, failed } as const;
  await emitEvents(session, environmentId, [{ event: 'job_finished', facts }]);
}
