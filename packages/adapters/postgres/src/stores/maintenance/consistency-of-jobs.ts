import { RESULTS_KEPT_DAYS } from '@sightline/core/jobs/job';
import { IS_COUNTED_BY_WORK } from '../jobs/job-rows.ts';

/** Each query returns the environment and one sentence for every job that contradicts its items or the outbox. */
export const JOB_QUERIES: readonly string[] = [
  `SELECT j.environment_id,
     format('Job %s counts %s done and %s failed of %s, but its items are %s and %s of %s.',
     j.id, j.done, j.failed, j.total, i.done, i.failed, i.total)
   FROM jobs j CROSS JOIN LATERAL (
     SELECT count(*) AS total, count(*) FILTER (WHERE state = 'done') AS done,
       count(*) FILTER (WHERE state = 'failed') AS failed
     FROM job_items WHERE environment_id = j.environment_id AND job_id = j.id) AS i
   WHERE NOT (${IS_COUNTED_BY_WORK})
     -- Items of pruned jobs are deleted in steps.
     AND (j.finished_at IS NULL OR NOT j.is_pruned AND j.type <> 'reembed'
       AND j.finished_at > now() - interval '${RESULTS_KEPT_DAYS} days')
     AND ((j.done, j.failed) <> (i.done, i.failed) OR j.listed_to IS NULL AND j.total <> i.total)`,

  `SELECT environment_id,
     format('Job %s is %s with %s done and %s failed of %s.', id, status, done, failed, total)
   FROM jobs
   WHERE (status IN ('done', 'failed')) <> (finished_at IS NOT NULL)
     OR finished_at IS NOT NULL AND done + failed <> total`,

  `SELECT j.environment_id,
     format('Job %s is %s, and %s of its items have not ended.', j.id, j.status, i.open)
   FROM jobs j CROSS JOIN LATERAL (
     SELECT count(*) AS open FROM job_items
     WHERE environment_id = j.environment_id AND job_id = j.id
       AND state IN ('pending', 'running')) AS i
   WHERE j.listed_to IS NULL AND (j.finished_at IS NULL) <> (i.open > 0)`,

  // The outbox deletes its oldest events first. If it still has an event older than the job's end, the event of that
  // end must exist.
  `SELECT j.environment_id,
     format('Job %s has ended, but has %s events of its end.', j.id, e.amount)
   FROM jobs j CROSS JOIN LATERAL (
     SELECT count(*) AS amount FROM outbox o
     WHERE o.environment_id = j.environment_id AND o.event = 'job.done'
       AND (o.data ->> 'job_id')::bigint = j.id) AS e
   WHERE j.finished_at > now() - interval '6 days' AND (e.amount > 1 OR e.amount = 0 AND EXISTS (
     SELECT FROM outbox o
     WHERE o.environment_id = j.environment_id AND o.created_at < j.finished_at))`,
];
