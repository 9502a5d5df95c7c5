import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { ItemError } from '../item-error.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { idList } from '../record-id.ts';

export const ReviewedFaces = z
  .object({
    processed: z.int().min(0),
    failed: z.int().min(0),
    errors: z
      .array(z.object({ detection_id: z.int(), error: ItemError }))
      .describe('The faces that failed, in the order of the request.'),
  })
  .meta({ id: 'ReviewedFaces' });

export const reviewFacesContract = defineContract({
  method: 'POST',
  path: '/api/review/bulk',
  right: 'review',
  operation: 'bulk_review',
  idempotent: true,
  tag: 'Review queue',
  summary: 'Review many faces with one action',
  description:
    'Faces are processed one by one in the order of the request; a failed face does not affect the others. If the request fails in the middle, the decisions about the faces processed so far stay; repeat the request for the remaining faces.',
  request: {
    body: jsonBody(
      z
        .object({
          detection_ids: idList,
          action: z.enum(['confirm', 'reject', 'unassign', 'restore', 'reassign']),
          identity_id: z
            .int()
            .optional()
            .describe('Required for the actions confirm and reassign; other actions ignore it.'),
        })
        .meta({
          if: { properties: { action: { enum: ['confirm', 'reassign'] } } },
          then: { required: ['identity_id'], properties: { identity_id: { type: 'integer' } } },
        }),
    ),
  },
  responses: { 200: jsonResponse('Number of processed faces.', ReviewedFaces) },
  problems: [...JSON_PROBLEMS, 'not_found', 'type_mismatch', 'inference_unavailable'],
});
