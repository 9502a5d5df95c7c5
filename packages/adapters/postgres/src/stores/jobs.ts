import { randomUUID } from 'node:crypto';
import type { Job, JobProgress, JobType, NewJob } from '@sightline/core/jobs/job';
import type { ClaimedJob, JobStore } from '@sightline/core/jobs/job-store';
import type { Doors } from '../doors/doors.ts';
import type { TransactionSession } from '../doors/transaction-session.ts';
import { emitEvents } from './outbox.ts';

/** Other processes look for jobs every 2 s: after a crash a job goes on within 30 s. */
const LEASE = `interval '25 seconds'`;

const COLUMNS = `j.id, j.environment_id AS "environmentId", j.type, j.status, j.total, j.done,
  j.failed, j.params, j.error, j.created_at AS "createdAt", j.finished_at AS "finishedAt"`;

export class PostgresJobStore implements JobStore {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async create(job: NewJob): Promise<Job> {
    const [created] = await this.#doors.withPlatform('jobs', (session) =>
      createJobs(session, [job]),
    );
    return created!;
  }

  async claim(types: readonly JobType[]): Promise<ClaimedJob | null> {
    const token = randomUUID();
    const [claimed] = await this.#query<Job>(
      `UPDATE jobs j
       SET status = 'running', token = $2, lease_until = now() + ${LEASE},
           started_at = coalesce(j.started_at, now())
       FROM (
         SELECT environment_id, id FROM jobs
         WHERE type = any($1::text[])
           AND (status = 'pending' OR (status = 'running' AND lease_until < now()))
         ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED
       ) AS oldest
       WHERE j.environment_id = oldest.environment_id AND j.id = oldest.id
       RETURNING ${COLUMNS}`,
      [types, token],
    );
    return claimed === undefined ? null : { ...claimed, token };
  }

  async report(job: ClaimedJob, { total, done, failed }: JobProgress): Promise<boolean> {
    const kept = await this.#query(
      `UPDATE jobs j SET total = $4, done = $5, failed = $6, lease_until = now() + ${LEASE}
       WHERE ${IS_HELD} RETURNING j.id`,
      [job.environmentId, job.id, job.token, total, done, failed],
    );
    return kept.length > 0;
  }

  async finish(job: ClaimedJob, end: JobProgress & Pick<Job, 'error'>): Promise<boolean> {
    const { environmentId, id, token, type } = job;
    const { total, done, failed, error } = end;
    const status = error === null ? 'done' : 'failed';
    return this.#doors.withPlatform('jobs', async (session) => {
      const ended = await session.query(
        `UPDATE jobs j
         SET status = $4, total = $5, done = $6, failed = $7, error = $8,
             finished_at = now(), token = NULL, lease_until = NULL
         WHERE ${IS_HELD} RETURNING j.id`,
        [environmentId, id, token, status, total, done, failed, error],
      );
      if (ended.length === 0) return false;
      await session.query(
        'DELETE FROM embedding_backlogs WHERE environment_id = $1 AND job_id = $2',
        [environmentId, id],
      );
      const facts = { jobId: id, type, status, total, done, failed } as const;
      await emitEvents(session, environmentId, [{ event: 'job_finished', facts }]);
      return true;
    });
  }

  async unfinished(types: readonly JobType[]): Promise<readonly Job[]> {
    return this.#query<Job>(
      `SELECT ${COLUMNS} FROM jobs j
       WHERE j.type = any($1::text[]) AND j.status IN ('pending', 'running') ORDER BY j.id`,
      [types],
    );
  }

  async #query<Row>(text: string, values: readonly unknown[]): Promise<readonly Row[]> {
    return this.#doors.onPlatform('jobs', (session) => session.query<Row>(text, values));
  }
}

/** Whether this claim still holds the job. An expired lease does until another process claims it. */
const IS_HELD = `j.environment_id = $1 AND j.id = $2 AND j.token = $3 AND j.status = 'running'`;

/**
 * Creates jobs in this order. A job for enrolled faces marks its environment as behind the model until
 * the job ends.
 */
export async function createJobs(
  session: TransactionSession,
  jobs: readonly NewJob[],
): Promise<readonly Job[]> {
  const created = await session.query<Job>(
    `INSERT INTO jobs AS j (environment_id, type, status, params, total)
     SELECT n.environment_id, n.type, 'pending', n.params, n.total
     FROM unnest($1::bigint[], $2::text[], $3::jsonb[], $4::integer[]) WITH ORDINALITY
       AS n (environment_id, type, params, total, place)
     ORDER BY n.place RETURNING ${COLUMNS}`,
    [
      jobs.map(({ environmentId }) => environmentId),
      jobs.map(({ type }) => type),
      jobs.map(({ params }) => JSON.stringify(params)),
      jobs.map(({ total }) => total),
    ],
  );
  const enrolled = created.filter(({ params }) => params.faces === 'enrolled');
  await session.query(
    `INSERT INTO embedding_backlogs (environment_id, model_id, job_id)
     SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::bigint[])
     ON CONFLICT (environment_id, model_id) DO UPDATE SET job_id = excluded.job_id`,
    [
      enrolled.map(({ environmentId }) => environmentId),
      enrolled.map(({ params }) => params.modelId),
      enrolled.map(({ id }) => id),
    ],
  );
  return created;
}
