import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { purgeQuery } from '../operations/purge.ts';
import { idPath } from '../record-id.ts';

export const DeletedDetection = z
  .object({
    deleted: z.int().describe('Id of the detection.'),
    source_image_discarded: z
      .boolean()
      .describe('Whether the source image was deleted too, because it had no other detection.'),
  })
  .meta({ id: 'DeletedDetection' });

export const deleteDetectionContract = defineContract({
  method: 'DELETE',
  path: '/api/detections/{id}',
  right: 'full',
  operation: 'delete_detections',
  tag: 'Detections',
  summary: 'Delete a detection with its crop, embedding and references',
  request: { path: idPath, query: purgeQuery },
  responses: { 200: jsonResponse('What was deleted.', DeletedDetection) },
  problems: ['not_found'],
});
