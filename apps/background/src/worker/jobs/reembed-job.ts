import type { ReembedParams } from '@sightline/core/jobs/job';
import { InferenceUnavailable } from '@sightline/core/models/model-errors';
import type { JobWork } from '@sightline/core/jobs/job-work';
import { reembedImage, type ReembedImageDeps } from '@sightline/core/reembedding/reembed-image';
import type { Logger } from '@sightline/platform/logging/logger';

export interface ReembedJobDeps extends ReembedImageDeps {
  readonly logger: Logger;
}

const BEGINS: Readonly<Record<ReembedParams['faces'], string>> = {
  enrolled:
    'computing the embeddings that enrolled faces lack for the active model; matching is refused until this is done',
  stragglers: 'computing the embeddings of faces that were enrolled while the face model changed',
  all: 'computing the embeddings that other stored faces lack for the active model',
};

/** Computes the missing embeddings of an image's faces with the active model. */
export function reembedJob({ logger, ...deps }: ReembedJobDeps): JobWork<'reembed'> {
  return async ({ claim, job, input }, { signal, settle }) => {
    const { environmentId, index } = claim;
    const { modelId, faces } = job.params;
    if (index === 0) {
      logger.warn({ environment_id: environmentId, faces, images: job.total }, BEGINS[faces]);
    }
    const { active } = await deps.models.roles();
    const model = active.find(({ id }) => id === modelId);
    if (model === undefined) {
      deps.models.forget();
      throw new InferenceUnavailable(
        'The face model of this re-embedding job is not the active one.',
      );
    }
    const request = { scope: { environmentId }, sourceImageId: input.sourceImageId, model };
    await reembedImage(deps, request, { signal, settle: settle(() => ({})) });
  };
}
