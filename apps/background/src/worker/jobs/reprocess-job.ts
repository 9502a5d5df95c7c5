import { forTenant } from '@sightline/core/analysis/for-tenant';
import { backgroundOf } from '@sightline/core/analysis/tenant';
import { waitOutOverload } from '@sightline/core/analysis/wait-out-overload';
import type { JobTools, JobWork } from '@sightline/core/jobs/job-work';
import { reprocessImage, type ReprocessRequest } from '@sightline/core/recognition/reprocess-image';
import type { ImageResult } from '@sightline/core/recognition/result/image-result';
import type { RunDetectorsDeps } from '@sightline/core/recognition/run-detectors';
import { CurrentOperation } from '@sightline/core/store/current-operation';
import { presentReprocessResult } from '@sightline/presentation/present-reprocess-result';

export function reprocessJob(deps: RunDetectorsDeps): JobWork<'reprocess'> {
  return ({ claim: { environmentId, index }, job, input }, tools) => {
    const operation = new CurrentOperation('replace', { isSelective: true });
    const scope = { environmentId, operation };
    return reprocessStored(deps, { scope, id: input.sourceImageId, index, ...job.params }, tools);
  };
}

/** Runs the active models on a stored image, and ends the item with the result. */
export async function reprocessStored(
  deps: RunDetectorsDeps,
  { index, ...request }: ReprocessRequest & { readonly index: number },
  { signal, settle }: Pick<JobTools, 'signal' | 'settle'>,
): Promise<void> {
  const analyzer = forTenant(deps.analyzer, backgroundOf(request.scope));
  const item = { index, sourceImageId: request.id };
  const ending = settle((run: ImageResult) => ({ result: presentReprocessResult(item, run) }));
  await waitOutOverload(
    () => reprocessImage({ ...deps, analyzer }, request, { signal, settle: ending }),
    signal,
  );
}
