import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { DetectionTypes } from '../detections/detection-types.ts';
import { flag } from '../flag.ts';
import { STORED_IMAGE_PROBLEMS } from '../problem.ts';
import { idPath } from '../record-id.ts';
import { DetectionRun } from './detection-run.ts';

/** Members of every request to reprocess. */
export const reprocessFields = {
  type: DetectionTypes.optional().describe('Default: all.'),
  replace: flag
    .optional()
    .describe(
      'Removes earlier detections of the type from the image, also those that a person drew. Default: false.',
    ),
};

/** A query parameter; true is refused. */
export const asynchronous = flag
  .optional()
  .refine((value) => value !== true, 'asynchronous runs are not available yet')
  .describe('Only false: asynchronous runs are not available yet.');

export const reprocessImageContract = defineContract({
  method: 'POST',
  path: '/api/images/{id}/reprocess',
  right: 'full',
  idempotent: true,
  tag: 'Images',
  summary: 'Run the active models on a stored image',
  description:
    'Works on the stored image, or on the original if that was kept, and otherwise like detection: what was found before keeps its detection and its crop.',
  request: {
    path: idPath,
    query: z.object({ ...reprocessFields, async: asynchronous }),
  },
  responses: { 200: jsonResponse('What is stored now.', DetectionRun) },
  problems: [...STORED_IMAGE_PROBLEMS, 'not_found', 'no_active_model'],
});
