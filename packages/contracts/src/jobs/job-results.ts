import { z } from 'zod';
import { DetectionTypes } from '../detections/detection-types.ts';
import { ItemError } from '../item-error.ts';
import { bulkItem } from '../recognition/detect-bulk-contract.ts';
import { found } from '../recognition/detection-run.ts';

/** One shape for both types: a client cannot tell by a result from which of them it is. */
const JobResult = z
  .object({
    ...bulkItem,
    source_image_id: z.int().optional().describe('Not of a posted image that failed.'),
    ...z.object(found).partial().shape,
    error: ItemError.optional().describe('Instead of faces and objects.'),
  })
  .meta({ id: 'JobResult', description: 'What was found in an image, or why it failed.' });

export const JobResults = z
  .object({
    total: z.int().min(0),
    type: DetectionTypes,
    results: z.array(JobResult).describe('In the order of the request.'),
  })
  .meta({
    id: 'JobResults',
    description: 'The results of `bulk_detect` and `reprocess`, as their requests answer them.',
  });
