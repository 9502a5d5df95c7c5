import {
  MAX_BATCH_BYTES,
  MAX_BATCH_IMAGES,
} from '@sightline/contracts/detections/test-batch-contract';
import {
  capabilitiesContract,
  FEATURES,
} from '@sightline/contracts/discovery/capabilities-contract';
import type { ActiveModel } from '@sightline/core/models/model';
import { IMAGE_FORMATS } from '@sightline/core/sources/image-format';
import { defineRoute } from '../http/define-route.ts';
import { presentModel } from './present-model.ts';

export const getCapabilities = defineRoute({
  ...capabilitiesContract,
  async handler({ analyzer, imageLimits }, { signal }) {
    const { models } = await analyzer.status(signal);
    return {
      status: 200,
      body: {
        detection_types: usableTypes(models),
        models: models.map((model) => ({
          ...presentModel(model),
          version: model.version,
          license: model.license,
          commercial_use: model.commercialUse,
          provides: [...model.provides],
          embedding_dim: model.embeddingDim,
        })),
        formats: [...IMAGE_FORMATS],
        pagination: { default_limit: 50, max_limit: 200 },
        limits: {
          image_bytes: imageLimits.maxBytes,
          image_pixels: imageLimits.maxPixels,
          batch_images: MAX_BATCH_IMAGES,
          batch_bytes: MAX_BATCH_BYTES,
        },
        features: [...FEATURES],
      },
    };
  },
});

function usableTypes(models: readonly ActiveModel[]): ('faces' | 'objects')[] {
  const types = models.map(({ task }) => (task === 'face' ? 'faces' : 'objects'));
  return [...new Set(types)];
}
