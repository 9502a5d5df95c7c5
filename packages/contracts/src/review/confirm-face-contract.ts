import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { reviewStatus } from '../detections/detection.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { idPath } from '../record-id.ts';

export const ConfirmedFace = z
  .object({
    detection_id: z.int(),
    review_status: reviewStatus,
    identity_id: z.int(),
    enrolled: z.boolean().describe('False if the face has no embedding of the active face model.'),
  })
  .meta({ id: 'ConfirmedFace' });

export const confirmFaceContract = defineContract({
  method: 'POST',
  path: '/api/review/{id}/confirm',
  right: 'review',
  operation: 'review',
  idempotent: true,
  tag: 'Review queue',
  summary: 'Confirm a face as an identity',
  description:
    'Assigns the face to the identity, confirms the assignment and enrolls the face, for any previous status. This ends a dismissal of the face and a rejection of the face from the identity.',
  request: { path: idPath, body: jsonBody(z.object({ identity_id: z.int() })) },
  responses: { 200: jsonResponse('The confirmed face.', ConfirmedFace) },
  problems: [...JSON_PROBLEMS, 'not_found', 'not_a_face', 'type_mismatch', 'inference_unavailable'],
});
