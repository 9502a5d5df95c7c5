import {
  getCapabilitiesContract,
  FEATURES,
} from '@sightline/contracts/discovery/get-capabilities-contract';
import { DEFAULT_LIMIT, MAX_LIMIT } from '@sightline/contracts/pagination';
import { MAX_FORM_BATCH_BYTES } from '@sightline/contracts/recognition/batch-limits';
import {
  MAX_BULK_IMAGES,
  MAX_BULK_JOB_IMAGES,
} from '@sightline/contracts/recognition/detect-bulk-contract';
import { MAX_REPROCESS_IMAGES } from '@sightline/contracts/recognition/reprocess-images-contract';
import { MAX_IDS } from '@sightline/contracts/record-id';
import { MAX_BATCH_IMAGES } from '@sightline/contracts/recognition/test-batch-contract';
import { MAX_LABEL_CHARACTERS } from '@sightline/core/identities/label';
import { MAX_UNFINISHED_JOBS, RESULTS_KEPT_DAYS } from '@sightline/core/jobs/job';
import type { ActiveModel } from '@sightline/core/models/model';
import { MAX_SEARCH_CHARACTERS } from '@sightline/core/identities/search-text';
import { IMAGE_FORMATS } from '@sightline/core/sources/image-format';
import { presentModel } from '@sightline/presentation/present-model';
import { defineRoute } from '../../http/define-route.ts';
import { WITH_LOGIN, WITH_PASSWORD } from '../accounts/present-user.ts';

export const getCapabilitiesRoute = defineRoute(getCapabilitiesContract, {
  async handler(context, { signal }) {
    const { analyzer, imageLimits } = context;
    context.models.forget();
    const { models } = await analyzer.status(signal);
    return {
      status: 200,
      body: {
        detection_types: usableTypes(models),
        models: await Promise.all(
          models.map(async (model) => ({
            ...(await presentModel(context.models, model)),
            version: model.version,
            license: model.license,
            commercial_use: model.commercialUse,
            commercial_use_reason: model.commercialUseReason,
            provides: [...model.provides],
            embedding_dim: model.embeddingDim,
          })),
        ),
        formats: [...IMAGE_FORMATS],
        pagination: { default_limit: DEFAULT_LIMIT, max_limit: MAX_LIMIT },
        limits: {
          image_bytes: imageLimits.maxBytes,
          image_pixels: imageLimits.maxPixels,
          bulk_images: MAX_BULK_IMAGES,
          bulk_job_images: MAX_BULK_JOB_IMAGES,
          batch_images: MAX_BATCH_IMAGES,
          batch_bytes: MAX_FORM_BATCH_BYTES,
          reprocess_images: MAX_REPROCESS_IMAGES,
          unfinished_jobs: MAX_UNFINISHED_JOBS,
          results_days: RESULTS_KEPT_DAYS,
          ids: MAX_IDS,
          label_characters: MAX_LABEL_CHARACTERS,
          search_characters: MAX_SEARCH_CHARACTERS,
        },
        sign_in: [...WITH_PASSWORD, ...(context.identityProvider === null ? [] : WITH_LOGIN)],
        features: [...FEATURES],
      },
    };
  },
});

function usableTypes(models: readonly ActiveModel[]): ('faces' | 'objects')[] {
  const types = models.map(({ task }) => (task === 'face' ? 'faces' : 'objects'));
  return [...new Set(types)];
}
