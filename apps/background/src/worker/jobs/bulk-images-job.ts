import { deleteSource, type DeleteSourceDeps } from '@sightline/core/curation/delete-source';
import type { JobWork } from '@sightline/core/jobs/job-work';
import { scopeOfJob } from '@sightline/core/jobs/operation-job';
import type { RunDetectorsDeps } from '@sightline/core/recognition/run-detectors';
import { reprocessStored } from './reprocess-job.ts';

/** Deletes an image of a filter, or runs the active models on it. */
export function bulkImagesJob(deps: DeleteSourceDeps & RunDetectorsDeps): JobWork<'bulk_images'> {
  return async (item, tools) => {
    const { params } = item.job;
    // A run that replaces detections records those about which people decided.
    const isSelective = params.action === 'reprocess';
    const scope = scopeOfJob(item, 'bulk_images', { isSelective });
    const id = item.input.sourceImageId;
    if (params.action === 'delete') {
      const settle = tools.settle(() => ({}));
      await deleteSource(deps, { scope, id }, { signal: tools.signal, settle });
      return;
    }
    await reprocessStored(deps, { scope, id, index: item.claim.index, ...params }, tools);
  };
}
