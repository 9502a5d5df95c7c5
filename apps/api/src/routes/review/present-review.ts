import type { ActedFace } from '@sightline/core/curation/carry-out-task';

/** The answer of decisions that leave a face without a confirmed identity. */
export function presentReview({ detection, row }: ActedFace) {
  return {
    status: 200,
    body: { detection_id: detection.id, review_status: row.reviewStatus },
  } as const;
}
