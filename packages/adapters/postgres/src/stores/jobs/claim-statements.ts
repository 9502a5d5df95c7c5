import type { Job, JobType } from '@sightline/core/jobs/job';
import type { ClaimedItem, ItemClaim } from '@sightline/core/jobs/job-item';
import { JOB_COLUMNS } from './job-rows.ts';

/**
 * How long a claim lasts unless it is renewed. Processes claim items every second, so an item of a crashed process
 * continues within 30 s.
 */
export const LEASE = `interval '25 seconds'`;
/**
 * The advisory lock under which items that may have to wait are claimed. Without it, two processes that claim at the
 * same time would not see each other's item. The number is arbitrary.
 */
export const TURN_LOCK = 7_446_119;
const ARCHIVES: readonly JobType[] = ['export', 'import'];
const DECISIONS: readonly JobType[] = ['bulk_review', 'bulk_detections', 'undo'];
export const MAY_WAIT: readonly JobType[] = [...ARCHIVES, ...DECISIONS, 'model_download'];

/**
 * Whether a job `j` must wait for a running item. At most one archive job and one job of decisions per environment run at a
 * time, so that those of one environment do not take all slots. At most one download per model runs, because two would
 * write the same file.
 */
const HAS_TO_WAIT = `CASE
  WHEN j.type IN (${listed(ARCHIVES)}) THEN ${isAtWork(ARCHIVES)}
  WHEN j.type IN (${listed(DECISIONS)}) THEN ${isAtWork(DECISIONS)}
  WHEN j.type = 'model_download' THEN EXISTS (
    SELECT FROM at_work w WHERE w.type = j.type AND w.params = j.params)
  ELSE false END`;

/** The jobs that have to wait may depend on these running items. */
export const AT_WORK = `at_work AS MATERIALIZED (
    SELECT j.environment_id, j.type, j.params
    FROM job_items i JOIN jobs j ON j.environment_id = i.environment_id AND j.id = i.job_id
    WHERE i.state = 'running' AND j.type IN (${listed(MAY_WAIT)})
  )`;

/** Whether items of a job `j` of the types $1 may begin. Those of an environment that is being deleted may not. */
export const MAY_BEGIN = `j.status IN ('pending', 'running') AND j.type = any($1::text[])
      AND EXISTS (
        SELECT FROM environments e WHERE e.id = j.environment_id AND e.deleting_since IS NULL)
      AND (j.paused_until IS NULL OR j.paused_until < now()) AND NOT ${HAS_TO_WAIT}`;

/**
 * Claims the item that the last of these common table expressions, `found`, selects.
 *
 * @param found may use the types $1; $2 is the token and $3 the holder
 * @param aloneUntil until when the item runs alone, as SQL
 */
export function claimOf(found: string, aloneUntil: string): string {
  return `
  WITH ${AT_WORK}, ${found}, claimed AS (
    UPDATE job_items i SET state = 'running', token = $2, holder = $3,
      lease_until = now() + ${LEASE}, alone_until = ${aloneUntil}
    FROM found n
    WHERE i.environment_id = n.environment_id AND i.job_id = n.job_id AND i.index = n.index
    RETURNING i.environment_id, i.job_id, i.index, i.input, i.upload_key, i.deaths
  ), turn AS (
    INSERT INTO job_turns (environment_id, served_at)
    SELECT environment_id, clock_timestamp() FROM claimed
    ON CONFLICT (environment_id) DO UPDATE SET served_at = excluded.served_at
  ), begun AS (
    UPDATE jobs j SET status = 'running', served_at = clock_timestamp(),
      started_at = coalesce(j.started_at, now())
    WHERE (j.environment_id, j.id) IN (
      SELECT l.environment_id, l.id FROM jobs l
      JOIN claimed c ON c.environment_id = l.environment_id AND c.job_id = l.id
      WHERE l.status IN ('pending', 'running') FOR NO KEY UPDATE OF l SKIP LOCKED)
  )
  SELECT ${JOB_COLUMNS}, c.index, c.input, c.upload_key AS "uploadKey", c.deaths
  FROM claimed c JOIN jobs j ON j.environment_id = c.environment_id AND j.id = c.job_id`;
}

/**
 * Claims one item. Items of jobs that re-embed only enrolled faces come first. Otherwise the environment that was served
 * longest ago has its turn, and in it the job that was served longest ago. Environments in $4 have no turn. Rows that
 * other transactions have locked are skipped.
 */
export const CLAIM = claimOf(
  `turns AS (
    SELECT j.environment_id, j.id
    FROM jobs j LEFT JOIN job_turns t ON t.environment_id = j.environment_id
    WHERE ${MAY_BEGIN} AND j.environment_id <> ALL ($4::bigint[])
    ORDER BY (j.type = 'reembed' AND j.params ->> 'faces' <> 'all') DESC,
      t.served_at NULLS FIRST, j.served_at NULLS FIRST, j.id
  ), found AS MATERIALIZED (
    SELECT i.environment_id, i.job_id, i.index
    FROM turns CROSS JOIN LATERAL (
      SELECT i.environment_id, i.job_id, i.index FROM job_items i
      WHERE i.environment_id = turns.environment_id AND i.job_id = turns.id
        AND i.state = 'pending' AND i.alone_until IS NULL
      ORDER BY i.index LIMIT 1 FOR UPDATE SKIP LOCKED) AS i
    LIMIT 1
  )`,
  'NULL',
);

export type ClaimedRow = Job &
  Pick<ClaimedItem, 'input' | 'uploadKey' | 'deaths'> &
  Pick<ItemClaim, 'index'>;

function listed(types: readonly JobType[]): string {
  return types.map((type) => `'${type}'`).join();
}

/** Whether an item of one of these types runs in the environment of the job `j`, as SQL. */
function isAtWork(types: readonly JobType[]): string {
  return `EXISTS (
    SELECT FROM at_work w
    WHERE w.type IN (${listed(types)}) AND w.environment_id = j.environment_id)`;
}
