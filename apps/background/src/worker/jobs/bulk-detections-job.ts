import {
  type BulkDetectionsDeps,
  runBulkDetections,
} from '@sightline/core/curation/bulk/run-bulk-detections';
import type { JobWork } from '@sightline/core/jobs/job-work';
import { scopeOfJob } from '@sightline/core/jobs/operation-job';
import { withTally } from './with-tally.ts';

/** Carries out one action on all detections of a filter. */
export function bulkDetectionsJob(deps: BulkDetectionsDeps): JobWork<'bulk_detections'> {
  return (item, tools) => {
    const scope = scopeOfJob(item, 'bulk_detections');
    const { params, workedTo } = item.job;
    return withTally({ ...deps, job: item.job }, tools, (tally, bulk) =>
      runBulkDetections(deps, { scope, params, ids: item.input.ids, tally, workedTo }, bulk),
    );
  };
}
