import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { reviewStatus } from '../detections/detection.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { givenLabel } from '../identities/given-label.ts';
import { idPath } from '../record-id.ts';

export const ReassignedFace = z
  .object({ detection_id: z.int(), review_status: reviewStatus, identity_id: z.int() })
  .meta({ id: 'ReassignedFace' });

export const reassignFaceContract = defineContract({
  method: 'POST',
  path: '/api/review/{id}/reassign',
  right: 'review',
  operation: 'review',
  idempotent: true,
  tag: 'Review queue',
  summary: 'Assign a face to another identity',
  description:
    'Assigns the face to the new identity, confirms the assignment and enrolls the face. The face is no longer a reference of the previous identity.',
  request: {
    path: idPath,
    body: jsonBody(
      z.object({
        identity_id: z.int().optional().describe('Id of an existing identity.'),
        name: givenLabel
          .optional()
          .describe('Label of the identity, which is created if it does not exist.'),
      }),
      [['identity_id', 'name']],
    ),
  },
  responses: { 200: jsonResponse('The confirmed face.', ReassignedFace) },
  problems: [...JSON_PROBLEMS, 'not_found', 'not_a_face', 'type_mismatch', 'inference_unavailable'],
});
