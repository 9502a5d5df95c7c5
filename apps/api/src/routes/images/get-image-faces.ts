import {
  getImageFacesContract,
  type ImageFace,
} from '@sightline/contracts/images/get-image-faces-contract';
import type { Stores } from '@sightline/core/database/database';
import type { Detection } from '@sightline/core/detections/detection';
import { cropUrl, sourceUrl } from '@sightline/presentation/media-url';
import { presentAssignment } from '@sightline/presentation/present-detection';
import { presentFace } from '@sightline/presentation/present-face';
import type { z } from 'zod';
import { defineRoute } from '../../http/define-route.ts';
import { readImage } from './get-image.ts';

export const getImageFacesRoute = defineRoute(getImageFacesContract, {
  async handler({ database }, { path, scope, signal }) {
    const read = (stores: Stores) => readImage(stores, path.id);
    const { source, detections } = await database.withScope(scope, read, signal);
    return {
      status: 200,
      body: {
        source_image_id: source.id,
        external_ref: source.externalRef,
        width: source.width,
        height: source.height,
        uploaded_at: source.uploadedAt.toISOString(),
        source_image_url: sourceUrl(source.id, source.mediaKey),
        scene_tags: [],
        faces: detections.filter(({ type }) => type === 'face').map(presentImageFace),
      },
    };
  },
});

function presentImageFace(detection: Detection): z.input<typeof ImageFace> {
  return {
    detection_id: detection.id,
    ...presentFace(detection),
    ...presentAssignment(detection),
    crop_url: cropUrl(detection.id, detection.cropKey),
    embedding_source: detection.embeddingSource,
  };
}
