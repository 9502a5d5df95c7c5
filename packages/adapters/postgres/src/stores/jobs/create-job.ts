import { type Job, type JobType, MAX_UNFINISHED_JOBS, type NewJob } from '@sightline/core/jobs/job';
import { TooManyJobs } from '@sightline/core/jobs/job-errors';
import { CURRENT_OPERATION } from '../../doors/begin-operation.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { JOB_COLUMNS, lockCreation } from './job-rows.ts';

export interface JobPlace {
  readonly session: TransactionSession;
  readonly environmentId: number;
}

/** @throws TooManyJobs if the environment has the maximum number of unfinished jobs */
export async function requireRoom({ session, environmentId }: JobPlace): Promise<void> {
  const [row] = await session.query<{ unfinished: number }>(
    `SELECT count(*) AS unfinished FROM jobs
     WHERE environment_id = $1 AND status IN ('pending', 'running')`,
    [environmentId],
  );
  if (row!.unfinished >= MAX_UNFINISHED_JOBS) throw new TooManyJobs();
}

/** @throws TooManyJobs if the environment has the maximum number of unfinished jobs */
export async function createJob<T extends JobType>(
  place: JobPlace,
  job: NewJob<T>,
): Promise<Job<T>> {
  // Creation is serialized per environment, so that concurrent requests cannot exceed the limit.
  await lockCreation(place.session, place.environmentId);
  await requireRoom(place);
  return insertJob(place, job);
}

/**
 * Creates a pending job with its items, without checking the limit on unfinished jobs. The job carries out the operation
 * that the transaction has begun, if there is one.
 */
export async function insertJob<T extends JobType>(
  { session, environmentId }: JobPlace,
  { type, params, items, total = items.length }: NewJob<T>,
): Promise<Job<T>> {
  const [created] = await session.query<Job<T>>(
    `INSERT INTO jobs AS j (environment_id, type, status, params, total, operation_id)
     VALUES ($1, $2, 'pending', $3, $4, ${CURRENT_OPERATION}) RETURNING ${JOB_COLUMNS}`,
    [environmentId, type, JSON.stringify(params), total],
  );
  await session.query(
    `INSERT INTO job_items (environment_id, job_id, index, input, upload_key)
     SELECT $1, $2, n.place - 1, n.input, n.upload_key
     FROM unnest($3::json[], $4::text[]) WITH ORDINALITY AS n (input, upload_key, place)`,
    [
      environmentId,
      created!.id,
      items.map(({ input }) => JSON.stringify(input)),
      items.map(({ uploadKey = null }) => uploadKey),
    ],
  );
  return created!;
}
