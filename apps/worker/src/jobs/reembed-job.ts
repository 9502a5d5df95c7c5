import type { JobWork } from '@sightline/core/jobs/job-work';
import { reembedImage, type ReembedImageDeps } from '@sightline/core/reembedding/reembed-image';

/** Computes the embeddings that the faces of an image lack of the active model. */
export function reembedJob(deps: ReembedImageDeps): JobWork<'reembed'> {
  return ({ claim, job, input }, { signal, settle }) => {
    const { environmentId } = claim;
    const { modelId } = job.params;
    const request = { scope: { environmentId }, sourceImageId: input.sourceImageId, modelId };
    return reembedImage(deps, request, { signal, settle: settle(() => ({})) });
  };
}
