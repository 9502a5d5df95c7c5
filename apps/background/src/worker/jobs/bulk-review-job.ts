import { type BulkReviewDeps, runBulkReview } from '@sightline/core/curation/bulk/run-bulk-review';
import type { BulkReviewParams } from '@sightline/core/jobs/job';
import type { JobWork } from '@sightline/core/jobs/job-work';
import { scopeOfJob } from '@sightline/core/jobs/operation-job';
import type { OperationKind } from '@sightline/core/store/current-operation';
import { withTally } from './with-tally.ts';

/** Carries out one decision about the faces that a filter selects, or about the faces of a group. */
export function bulkReviewJob(deps: BulkReviewDeps): JobWork<'bulk_review'> {
  return (item, tools) => {
    const { params, workedTo } = item.job;
    const scope = scopeOfJob(item, kindOf(params));
    return withTally({ ...deps, job: item.job }, tools, (tally, bulk) =>
      runBulkReview(deps, { scope, params, input: item.input, tally, workedTo }, bulk),
    );
  };
}

function kindOf({ action }: BulkReviewParams): OperationKind {
  if (action === 'label_group') return 'cluster_label';
  return action === 'dismiss_group' ? 'cluster_dismiss' : 'bulk_review';
}
