import { z } from 'zod';
import { ItemError } from '../item-error.ts';

/** The results of jobs that act on many detections, without those that were left out. */
export const BulkResults = z
  .object({
    processed: z.int().min(0),
    failed: z.int().min(0),
    errors: z
      .array(z.object({ detection_id: z.int(), error: ItemError }))
      .describe('The first 1,000 detections that failed.'),
  })
  .meta({ id: 'BulkResults' });
