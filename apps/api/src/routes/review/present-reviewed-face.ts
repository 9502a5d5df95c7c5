import type {
  CurrentIdentity,
  QueuedFace as QueuedFaceAnswer,
} from '@sightline/contracts/review/queued-face';
import type {
  AssignedIdentity,
  ListedFace,
  QueuedFace,
} from '@sightline/core/detections/face-lists';
import { cropUrl, sourceUrl } from '@sightline/presentation/media-url';
import { presentSuggestion } from '@sightline/presentation/present-suggestion';
import type { z } from 'zod';

/** Presents the members that the review queue and the list of mismatches have in common. */
export function presentReviewedFace(face: ListedFace) {
  const { x, y, w, h } = face.bbox;
  return {
    detection_id: face.id,
    crop_url: cropUrl(face.id, face.cropKey),
    source_image_id: face.sourceImageId,
    confidence: face.confidence,
    bbox: { x, y, w, h },
    detected_at: face.detectedAt.toISOString(),
  };
}

export function presentCurrentIdentity({
  id,
  label,
}: AssignedIdentity): z.input<typeof CurrentIdentity> {
  return { identity_id: id, label };
}

export function presentQueuedFace(face: QueuedFace): z.input<typeof QueuedFaceAnswer> {
  return {
    ...presentReviewedFace(face),
    source_image_url: sourceUrl(face.sourceImageId, face.sourceMediaKey),
    current_identity: face.identity && presentCurrentIdentity(face.identity),
    suggested_matches: face.suggestions.map(presentSuggestion),
  };
}
