import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { DetectionTypes } from '../detections/detection-types.ts';
import { ItemError } from '../item-error.ts';
import { asynchronous, StartedBatch } from '../jobs/started-job.ts';
import { JSON_PROBLEMS, problemsBeside, STORED_IMAGE_PROBLEMS } from '../problem-lists.ts';
import type { ProblemCode } from '../problem.ts';
import { idList, MAX_IDS } from '../record-id.ts';
import { found, replaced } from './detection-run.ts';
import { runsFields } from './runs-fields.ts';

/** The maximum number of images in a request without `async`. */
export const MAX_REPROCESS_IMAGES = 20;

/** The problems that fail a single image. The other images of the request still get results. */
export const REPROCESS_ITEM_PROBLEMS = [
  'not_found',
  'image_corrupt',
  'image_too_large',
  'unsupported_format',
] as const satisfies readonly ProblemCode[];

const item = {
  index: z.int().min(0).describe('Position of the id among the distinct ids of the request.'),
  source_image_id: z.int(),
};

export const ReprocessResult = z
  .union([z.object({ ...item, ...found, ...replaced }), z.object({ ...item, error: ItemError })])
  .meta({ id: 'ReprocessResult' });

export const ReprocessedImages = z
  .object({
    total: z.int().min(0),
    type: DetectionTypes,
    results: z
      .array(ReprocessResult)
      .describe('One result per image, in the order of the request.'),
  })
  .meta({ id: 'ReprocessedImages' });

export const reprocessImagesContract = defineContract({
  method: 'POST',
  path: '/api/images/reprocess',
  right: 'full',
  idempotent: true,
  operation: 'replace',
  tag: 'Images',
  summary: 'Run the active models on several stored images',
  description: `At most ${MAX_REPROCESS_IMAGES} images, or ${MAX_IDS} as a job. The result of an image that cannot be reprocessed has an \`error\`; the other images are not affected. If inference or a store is unavailable, the request fails, and the new detections of the images processed so far stay. A job does not fail in this case but waits.`,
  request: {
    query: z.object({ async: asynchronous }),
    body: jsonBody(
      z.object({
        source_image_ids: idList,
        ...runsFields,
      }),
    ),
  },
  responses: {
    200: jsonResponse('One result per image.', ReprocessedImages),
    202: jsonResponse('The job that does the work.', StartedBatch),
  },
  problems: [
    ...JSON_PROBLEMS,
    ...problemsBeside(REPROCESS_ITEM_PROBLEMS, STORED_IMAGE_PROBLEMS),
    'no_active_model',
    'too_many_jobs',
  ],
});
