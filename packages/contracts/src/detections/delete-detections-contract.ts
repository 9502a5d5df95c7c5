import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { purgeQuery } from '../operations/purge.ts';
import { idList } from '../record-id.ts';

export const DeletedDetections = z
  .object({
    deleted: z.int().min(0).describe('Number of detections that were deleted.'),
    source_images_discarded: z
      .int()
      .min(0)
      .describe('Number of images that were deleted too, because they had no other detection.'),
  })
  .meta({ id: 'DeletedDetections' });

export const deleteDetectionsContract = defineContract({
  method: 'POST',
  path: '/api/detections/delete',
  right: 'full',
  operation: 'delete_detections',
  idempotent: true,
  tag: 'Detections',
  summary: 'Delete detections with their crops, embeddings and references',
  description: 'Ids of unknown detections are skipped.',
  request: { query: purgeQuery, body: jsonBody(z.object({ detection_ids: idList })) },
  responses: { 200: jsonResponse('What was deleted.', DeletedDetections) },
  problems: JSON_PROBLEMS,
});
