import { AT_WORK, claimOf, MAY_BEGIN } from './claim-statements.ts';
import { IS_COUNTED_BY_WORK } from './job-rows.ts';

/**
 * How long an item `i` that may crash its process runs alone. After that, other items may begin beside it, and a death
 * counts for none of them. So each loss after a trial doubles the next one, until the item is alone when it crashes.
 */
const TRIAL = `interval '5 minutes' * 2 ^ least(i.lost_trials, 10)`;
/** How long an item of a live process may go without a heartbeat before other processes take it over. */
const ABANDONED = `interval '2 minutes'`;

/**
 * The waiting suspects that may begin: items that were running when their process or inference died. Those that crashed
 * fewer processes come first, so that innocent ones end, and single images come before work that takes hours.
 */
const WAITING_SUSPECTS = `
    SELECT i.environment_id, i.job_id, i.index, i.is_alone_everywhere
    FROM job_items i JOIN jobs j ON j.environment_id = i.environment_id AND j.id = i.job_id
    WHERE i.state = 'pending' AND i.alone_until IS NOT NULL AND ${MAY_BEGIN}
    ORDER BY i.deaths, ${IS_COUNTED_BY_WORK}, i.environment_id, i.job_id, i.index LIMIT 1`;

export const CLAIM_SUSPECT = claimOf(
  `found AS MATERIALIZED (${WAITING_SUSPECTS} FOR UPDATE OF i SKIP LOCKED)`,
  `now() + ${TRIAL}`,
);

export interface TrialRow {
  /** Whether a process runs a suspect alone. */
  readonly isRunning: boolean;
  /** Whether this process runs it, and must begin nothing beside it. */
  readonly isHere: boolean;
  /** Whether no process may begin images beside it, because it may crash inference. */
  readonly isEverywhere: boolean;
  /** Whether a suspect of the types waits. */
  readonly waits: boolean;
  /** Whether the images of all processes have to end before the waiting suspect runs, not only those of one process. */
  readonly waitsForAll: boolean;
  /** Whether images run beside which the waiting suspect would not be alone. They end soon. */
  readonly hasImages: boolean;
}

/**
 * The types are $1, and the holder $2. An image whose lease has expired is not waited for: its process is dead, or cannot
 * write the end.
 */
export const FIND_TRIAL = `
  WITH ${AT_WORK}, trial AS (
    SELECT holder, is_alone_everywhere FROM job_items
    WHERE state = 'running' AND alone_until > now() LIMIT 1
  ), waiting AS (${WAITING_SUSPECTS})
  SELECT EXISTS (SELECT FROM trial) AS "isRunning",
    EXISTS (SELECT FROM trial WHERE holder = $2) AS "isHere",
    EXISTS (SELECT FROM trial WHERE is_alone_everywhere) AS "isEverywhere",
    EXISTS (SELECT FROM waiting) AS waits,
    EXISTS (SELECT FROM waiting WHERE is_alone_everywhere) AS "waitsForAll",
    EXISTS (
      SELECT FROM job_items i JOIN jobs j ON j.environment_id = i.environment_id AND j.id = i.job_id
      WHERE i.state = 'running' AND i.lease_until > now() AND NOT ${IS_COUNTED_BY_WORK}
        AND (i.holder = $2 OR (SELECT is_alone_everywhere FROM waiting))) AS "hasImages"`;

/**
 * Returns the items of dead processes to the queue, as suspects. A process is dead once the leases of all its items have
 * expired. If it ran a single item, the item probably crashed it; if it ran several, any of them did. A death after a trial
 * does not count, because an activation may run alone for days until it is approved. Items that a live process abandoned,
 * for example because it could not write their end, return as they were.
 */
export const RECOVER = `
  WITH dead AS MATERIALIZED (
    SELECT holder, count(*) AS items FROM job_items WHERE state = 'running' AND $1
    GROUP BY holder HAVING max(lease_until) < now()
  ), lost AS MATERIALIZED (
    SELECT i.environment_id, i.job_id, i.index, dead.items
    FROM job_items i LEFT JOIN dead ON dead.holder IS NOT DISTINCT FROM i.holder
    WHERE $1 AND i.state = 'running' AND i.lease_until < now()
      AND (dead.items IS NOT NULL OR i.lease_until < now() - ${ABANDONED})
    FOR UPDATE OF i SKIP LOCKED
  ), recovered AS (
    UPDATE job_items i SET state = 'pending', token = NULL, holder = NULL, lease_until = NULL,
      alone_until = CASE WHEN lost.items IS NOT NULL OR i.alone_until > now()
        THEN 'infinity'::timestamptz END,
      is_alone_everywhere = i.is_alone_everywhere AND i.alone_until > now(),
      lost_trials = i.lost_trials + (lost.items IS NOT NULL AND i.alone_until IS NOT NULL)::int,
      deaths = i.deaths + (lost.items IS NOT DISTINCT FROM 1
        AND coalesce(i.alone_until > i.lease_until, true))::int
    FROM lost WHERE i.environment_id = lost.environment_id AND i.job_id = lost.job_id
      AND i.index = lost.index
    RETURNING i.index
  )
  SELECT EXISTS (SELECT FROM recovered) OR EXISTS (
    SELECT FROM job_items WHERE state IN ('pending', 'running') AND alone_until > now()) AS "areSuspects"`;
