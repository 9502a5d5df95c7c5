import type { Database } from '@sightline/core/database/database';
import { type BulkTally, finalProgress } from '@sightline/core/curation/bulk/bulk-tally';
import type { BulkTools } from '@sightline/core/curation/bulk/run-bulk-detections';
import type { Job } from '@sightline/core/jobs/job';
import type { JobTools } from '@sightline/core/jobs/job-work';
import { presentBulkTally, readBulkErrors } from '@sightline/presentation/present-bulk-tally';

/**
 * Runs the work of a job that acts on many detections, from where an earlier process has left it, and ends its only item
 * with the counters and the failures.
 */
export async function withTally(
  { database, job }: { readonly database: Database; readonly job: Job },
  { signal, advance, end }: JobTools,
  work: (tally: BulkTally, tools: BulkTools) => Promise<BulkTally>,
): Promise<void> {
  const { environmentId, id, total, done, failed } = job;
  const page = { after: -1, limit: 1 };
  const { items } = await database.withScope(
    { environmentId },
    ({ jobs }) => jobs.items(id, page),
    signal,
  );
  const before = { progress: { total, done, failed }, errors: readBulkErrors(items[0]?.result) };
  const tally = await work(before, {
    signal,
    advance: (tx, { tally: now, workedTo }) =>
      advance(tx, { progress: now.progress, workedTo, result: presentBulkTally(now) }),
  });
  const progress = finalProgress(tally);
  await end({ progress, result: presentBulkTally({ ...tally, progress }) });
}
