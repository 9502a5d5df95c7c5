import {
  type BulkDetectionsDeps,
  runBulkDetections,
} from '@sightline/core/curation/bulk/run-bulk-detections';
import { finalProgress } from '@sightline/core/curation/bulk/bulk-tally';
import type { JobWork } from '@sightline/core/jobs/job-work';
import { scopeOfJob } from '@sightline/core/jobs/operation-job';
import { presentBulkTally, readBulkErrors } from '@sightline/presentation/present-bulk-tally';

/**
 * Carries out one action on all detections of a filter. A process that takes the item over continues behind the last
 * detection.
 */
export function bulkDetectionsJob(deps: BulkDetectionsDeps): JobWork<'bulk_detections'> {
  return async (item, { signal, advance, end }) => {
    const { job } = item;
    const scope = scopeOfJob(item, 'bulk_detections');
    const page = { after: -1, limit: 1 };
    const { items } = await deps.database.withScope(
      scope,
      ({ jobs }) => jobs.items(job.id, page),
      signal,
    );
    const { total, done, failed, params, workedTo } = job;
    const tally = { progress: { total, done, failed }, errors: readBulkErrors(items[0]?.result) };
    const finished = await runBulkDetections(
      deps,
      { scope, params, tally, workedTo },
      {
        signal,
        advance: (tx, { tally: now, workedTo: id }) =>
          advance(tx, { progress: now.progress, workedTo: id, result: presentBulkTally(now) }),
      },
    );
    const progress = finalProgress(finished);
    await end({ progress, result: presentBulkTally({ ...finished, progress }) });
  };
}
