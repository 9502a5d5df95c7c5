import type { Job, NewReembed } from '@sightline/core/jobs/job';
import { sql } from '../../drizzle.ts';
import type { Doors } from '../../doors/doors.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { isBehind, IS_ENROLLED } from './environments-behind.ts';
import { endJob, JOB_COLUMNS } from '../jobs/job-rows.ts';

/** The number of items that are created at once. */
const PAGE = 500;
/** The number of pending items of a job below which its next items are created. */
const LOW = 100;

/**
 * Creates jobs in the given order. Their items are created later, while the jobs run: an activation creates the jobs
 * while all requests that store photos wait for it, so it must not write a row per image. A job for enrolled faces
 * marks its environment as incomplete for the model until the job ends. If an environment already has an unfinished
 * job of the same kind, that job lists all images again instead.
 */
export async function createReembeds(
  session: TransactionSession,
  jobs: readonly NewReembed[],
): Promise<void> {
  if (jobs.length === 0) return;
  const restarted = await restartUnfinished(session, jobs);
  const created = await insertReembeds(
    session,
    jobs.filter((_, place) => !restarted.has(place)),
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
}

/**
 * Makes unfinished jobs list their images again. Returns the indexes of the requests that need no new job. A request
 * needs a new job if its job was cancelled, or if another transaction is ending the job; this statement waits for that
 * transaction.
 */
async function restartUnfinished(
  session: TransactionSession,
  jobs: readonly NewReembed[],
): Promise<ReadonlySet<number>> {
  const rows = await session.query<{ place: number }>(
    `WITH known AS MATERIALIZED (
       SELECT j.environment_id, j.id, n.total, n.place
       FROM unnest(${ROWS}) WITH ORDINALITY AS n (environment_id, params, total, place)
       JOIN jobs j ON j.environment_id = n.environment_id AND (j.params = n.params
         OR n.params ->> 'faces' = 'stragglers'
           AND j.params = jsonb_set(n.params, '{faces}', '"enrolled"'))
       WHERE j.type = 'reembed' AND j.status IN ('pending', 'running') AND j.error IS NULL
       ORDER BY j.id FOR NO KEY UPDATE OF j
     )
     UPDATE jobs j SET listed_to = 0, total = j.done + j.failed + known.total
     FROM known WHERE j.environment_id = known.environment_id AND j.id = known.id
     RETURNING known.place`,
    valuesOf(jobs),
  );
  return new Set(rows.map(({ place }) => place - 1));
}

async function insertReembeds(
  session: TransactionSession,
  jobs: readonly NewReembed[],
): Promise<readonly Job<'reembed'>[]> {
  return session.query<Job<'reembed'>>(
    `INSERT INTO jobs AS j (environment_id, type, status, params, total, listed_to)
     SELECT n.environment_id, 'reembed', 'pending', n.params, n.total, 0
     FROM unnest(${ROWS}) WITH ORDINALITY AS n (environment_id, params, total, place)
     ORDER BY n.place RETURNING ${JOB_COLUMNS}`,
    valuesOf(jobs),
  );
}

/** The columns of new jobs, whose values are the first three parameters. */
const ROWS = '$1::bigint[], $2::jsonb[], $3::integer[]';

function valuesOf(jobs: readonly NewReembed[]): readonly unknown[] {
  return [
    jobs.map(({ environmentId }) => environmentId),
    jobs.map(({ params }) => JSON.stringify(params)),
    jobs.map(({ total }) => total),
  ];
}

/**
 * Ends the jobs of other models of the same task, because their remaining work is not needed. Finished results stay. A
 * process that still works on one of their items stores nothing.
 */
export async function endReembedsOfOtherModels(
  session: TransactionSession,
  modelId: number,
): Promise<void> {
  const previous = await session.query<{ environmentId: number; id: number }>(
    `SELECT j.environment_id AS "environmentId", j.id FROM jobs j
     JOIN models m ON m.id = (j.params ->> 'modelId')::bigint
     WHERE j.type = 'reembed' AND j.status IN ('pending', 'running') AND m.id <> $1
       AND m.task = (SELECT task FROM models WHERE id = $1)
     ORDER BY j.id FOR NO KEY UPDATE OF j`,
    [modelId],
  );
  for (const { environmentId, id } of previous) {
    await session.query(
      `DELETE FROM job_items
       WHERE environment_id = $1 AND job_id = $2 AND state IN ('pending', 'running')`,
      [environmentId, id],
    );
    const [job] = await session.query<Job>(
      `UPDATE jobs j SET total = j.done + j.failed, listed_to = NULL
       WHERE j.environment_id = $1 AND j.id = $2 RETURNING ${JOB_COLUMNS}`,
      [environmentId, id],
    );
    await endJob(session, job!);
  }
}

type OpenReembed = Job<'reembed'> & { readonly listedTo: number };

/**
 * Creates the next items of the first job that has few pending items. A job for all faces waits until the job for
 * enrolled faces of its environment has ended. Returns false if no job needs items, or other
 * processes create them.
 */
export async function listReembeds(
  doors: Pick<Doors, 'onPlatform' | 'withPlatform'>,
): Promise<boolean> {
  const [low] = await doors.onPlatform('jobs', (session) => session.query(lowJob('')));
  if (low === undefined) return false;
  return doors.withPlatform('jobs', async (session) => {
    const [job] = await session.query<OpenReembed>(lowJob('FOR NO KEY UPDATE OF j SKIP LOCKED'));
    if (job !== undefined) await listItems(session, job);
    return job !== undefined;
  });
}

function lowJob(lock: string): string {
  return `SELECT ${JOB_COLUMNS}, j.listed_to AS "listedTo" FROM jobs j
    WHERE j.status IN ('pending', 'running') AND j.type = 'reembed' AND j.listed_to IS NOT NULL
      AND (SELECT count(*) FROM (
        SELECT FROM job_items i WHERE i.environment_id = j.environment_id AND i.job_id = j.id
          AND i.state = 'pending' LIMIT ${LOW}) AS waiting) < ${LOW}
      AND (j.params ->> 'faces' <> 'all' OR NOT EXISTS (
        SELECT FROM jobs first WHERE first.environment_id = j.environment_id
          AND first.type = 'reembed' AND first.params ->> 'faces' <> 'all'
          AND first.status IN ('pending', 'running')))
    ORDER BY j.params ->> 'faces' <> 'all' DESC, j.id LIMIT 1 ${lock}`;
}

/** Creates the next page of a job's items. The job's total is known when the last page was created. */
async function listItems(session: TransactionSession, job: OpenReembed): Promise<void> {
  const { environmentId, id } = job;
  const images = await imagesBehind(session, job);
  const [counted] = await session.query<{ items: number }>(
    `WITH first AS (
       SELECT coalesce(max(index) + 1, 0) AS index FROM job_items
       WHERE environment_id = $1 AND job_id = $2
     ), created AS (
       INSERT INTO job_items (environment_id, job_id, index, input)
       SELECT $1, $2, first.index + n.place - 1, json_build_object('sourceImageId', n.id)
       FROM first, unnest($3::bigint[]) WITH ORDINALITY AS n (id, place)
     )
     SELECT first.index + cardinality($3::bigint[]) AS items FROM first`,
    [environmentId, id, images],
  );
  const { items } = counted!;
  const isComplete = images.length < PAGE;
  const [listed] = await session.query<Job & { readonly hasEnded: boolean }>(
    `UPDATE jobs j SET listed_to = $3, total = $4
     WHERE j.environment_id = $1 AND j.id = $2
     RETURNING ${JOB_COLUMNS}, j.listed_to IS NULL AND j.done + j.failed = j.total AS "hasEnded"`,
    [
      environmentId,
      id,
      isComplete ? null : images.at(-1),
      isComplete ? items : Math.max(items, job.total),
    ],
  );
  if (listed!.hasEnded) await endJob(session, listed!);
}

/**
 * The images with faces that the job has not processed, in ascending order. Images with a pending item are excluded,
 * because the item will read the current faces. Images with a running item are included, because the item may have read
 * the faces before the job restarted.
 */
async function imagesBehind(
  { db }: TransactionSession,
  { environmentId, id, params, listedTo }: OpenReembed,
): Promise<readonly number[]> {
  const { modelId, faces } = params;
  const isMissing =
    faces === 'all' ? isBehind(modelId) : sql`${isBehind(modelId)} and ${IS_ENROLLED}`;
  const rows = await db
    .select({ id: sql`s.id`.mapWith(Number) })
    .from(sql`source_images s`)
    .where(
      sql`s.environment_id = ${environmentId} and s.id > ${listedTo}
        and s.id not in (
          select (i.input ->> 'sourceImageId')::bigint from job_items i
          where i.environment_id = ${environmentId} and i.job_id = ${id} and i.state = 'pending')
        and exists (
        select from detections d
        where d.environment_id = s.environment_id and d.source_image_id = s.id and (${isMissing}))`,
    )
    .orderBy(sql`s.id`)
    .limit(PAGE);
  return rows.map(({ id }) => id);
}
