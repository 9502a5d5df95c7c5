import type { Detection as DetectionAnswer } from '@sightline/contracts/detections/detection';
import type { Detection } from '@sightline/core/detections/detection';
import type { z } from 'zod';
import { cropUrl } from './media-url.ts';
import { presentFace } from './present-face.ts';

export function presentDetection(detection: Detection): z.input<typeof DetectionAnswer> {
  return {
    id: detection.id,
    detection_id: detection.id,
    type: detection.type,
    source_image_id: detection.sourceImageId,
    ...presentFace(detection),
    ...presentAssignment(detection),
    crop_url: cropUrl(detection.id, detection.cropKey),
    detected_at: detection.detectedAt.toISOString(),
    is_manual: detection.isManual,
    embedding_source: detection.embeddingSource,
    class_name: detection.className,
    class_id: detection.classId,
    mismatch_reviewed: detection.mismatchReviewed,
  };
}

/** The members of a response that describe the identity of a detection. */
export function presentAssignment({
  identityId,
  label,
  reviewStatus,
}: Pick<Detection, 'identityId' | 'label' | 'reviewStatus'>) {
  return { identity_id: identityId, label, review_status: reviewStatus };
}
