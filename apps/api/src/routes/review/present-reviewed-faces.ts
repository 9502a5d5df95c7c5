import type { ReviewedFaces } from '@sightline/core/curation/review-faces';
import { presentItemError } from '@sightline/presentation/present-item-error';

export function presentReviewedFaces({ processed, errors }: ReviewedFaces) {
  return {
    processed,
    failed: errors.length,
    errors: errors.map(({ id, error }) => ({ detection_id: id, error: presentItemError(error) })),
  };
}
