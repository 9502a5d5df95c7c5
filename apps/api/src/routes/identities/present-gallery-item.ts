import type { GalleryItem } from '@sightline/contracts/identities/gallery-item';
import type { GalleryFace } from '@sightline/core/detections/face-lists';
import { cropUrl } from '@sightline/presentation/media-url';
import type { z } from 'zod';

/** Presents a detection in the gallery and in the rejected faces of an identity. */
export function presentGalleryItem(face: GalleryFace): z.input<typeof GalleryItem> {
  return {
    detection_id: face.id,
    crop_url: cropUrl(face.id, face.cropKey),
    source_image_id: face.sourceImageId,
    source_external_ref: face.sourceExternalRef,
    detected_at: face.detectedAt.toISOString(),
    confidence: face.confidence,
    review_status: face.reviewStatus,
  };
}
