import { z } from 'zod';
import { reviewStatus } from '../detections/detection.ts';

/** A face after a decision that leaves the face without a confirmed identity. */
export const ReviewDecision = z
  .object({ detection_id: z.int(), review_status: reviewStatus })
  .meta({ id: 'ReviewDecision' });
