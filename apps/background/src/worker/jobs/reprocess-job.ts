import { forTenant } from '@sightline/core/analysis/for-tenant';
import { backgroundOf } from '@sightline/core/analysis/tenant';
import { waitOutOverload } from '@sightline/core/analysis/wait-out-overload';
import type { JobWork } from '@sightline/core/jobs/job-work';
import { reprocessImage } from '@sightline/core/recognition/reprocess-image';
import type { ImageResult } from '@sightline/core/recognition/result/image-result';
import type { RunDetectorsDeps } from '@sightline/core/recognition/run-detectors';
import { CurrentOperation } from '@sightline/core/store/current-operation';
import { presentReprocessResult } from '@sightline/presentation/present-reprocess-result';

export function reprocessJob(deps: RunDetectorsDeps): JobWork<'reprocess'> {
  return async ({ claim, job, input }, { signal, settle }) => {
    const operation = new CurrentOperation('replace', { isSelective: true });
    const scope = { environmentId: claim.environmentId, operation };
    const analyzer = forTenant(deps.analyzer, backgroundOf(scope));
    const request = { scope, id: input.sourceImageId, ...job.params };
    const item = { index: claim.index, ...input };
    const ending = settle((run: ImageResult) => ({
      result: presentReprocessResult(item, run),
    }));
    await waitOutOverload(
      () => reprocessImage({ ...deps, analyzer }, request, { signal, settle: ending }),
      signal,
    );
  };
}
