import type { ActedFace } from '@sightline/core/curation/carry-out-tasks';

/** Presents a decision after which the face has no confirmed identity. */
export function presentReview({ detection, row }: ActedFace) {
  return {
    status: 200,
    body: { detection_id: detection.id, review_status: row.reviewStatus },
  } as const;
}
