import { z } from 'zod';
import { DetectionTypes } from '../detections/detection-types.ts';
import { ItemError } from '../item-error.ts';
import { bulkItem } from '../recognition/detect-bulk-contract.ts';
import { found, replaced } from '../recognition/detection-run.ts';

/** The result of one image, for `bulk_detect` and for `reprocess`. */
const JobResult = z
  .object({
    ...bulkItem,
    source_image_id: z.int().optional().describe('Absent for a posted image that failed.'),
    ...z.object(found).partial().shape,
    ...replaced,
    error: ItemError.optional().describe(
      'Present instead of faces and objects if the image failed.',
    ),
  })
  .meta({
    id: 'JobResult',
    description: 'The faces and objects found in an image, or the reason why it failed.',
  });

export const JobResults = z
  .object({
    total: z.int().min(0),
    type: DetectionTypes,
    results: z.array(JobResult).describe('One result per image, in the order of the request.'),
  })
  .meta({
    id: 'JobResults',
    description:
      'The results of `bulk_detect` and `reprocess`, equal to the response of the same request without `async`.',
  });
