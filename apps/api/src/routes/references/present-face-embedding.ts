import type { FaceEmbedding } from '@sightline/contracts/references/face-embedding';
import type { Reference } from '@sightline/core/references/reference';
import { cropUrl } from '@sightline/presentation/media-url';
import type { z } from 'zod';

export function presentFaceEmbedding(reference: Reference): z.input<typeof FaceEmbedding> {
  const { bbox, pose } = reference;
  return {
    id: reference.id,
    identity_id: reference.identityId,
    label: reference.label,
    model_id: reference.modelId,
    model_name: reference.modelName,
    detection_id: reference.detectionId,
    source_image_id: reference.sourceImageId,
    created_at: reference.createdAt.toISOString(),
    crop_url: cropUrl(reference.detectionId, reference.cropKey),
    bbox: { x: bbox.x, y: bbox.y, w: bbox.w, h: bbox.h },
    quality: reference.quality,
    pose: pose && [...pose],
    turned: reference.turned,
    decided_by: reference.decidedBy,
  };
}
