import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { givenLabel } from '../identities/given-label.ts';
import { idPath } from '../record-id.ts';
import { reviewStatus } from './detection.ts';

export const LabeledDetection = z
  .object({
    detection_id: z.int(),
    identity_id: z.int(),
    label: z.string(),
    review_status: reviewStatus,
    enrolled: z
      .boolean()
      .describe('False for objects, and for faces without an embedding of the active model.'),
  })
  .meta({ id: 'LabeledDetection' });

export const labelDetectionContract = defineContract({
  method: 'PUT',
  path: '/api/detections/{id}/label',
  right: 'review',
  operation: 'relabel',
  tag: 'Detections',
  summary: 'Label a detection',
  description: 'Confirms the detection under an identity; a face is enrolled under it.',
  request: {
    path: idPath,
    body: jsonBody(
      z.object({
        label: givenLabel
          .optional()
          .describe('Label of the identity, which is created if it does not exist.'),
        identity_id: z.int().optional().describe('Id of an existing identity.'),
      }),
      [['label', 'identity_id']],
    ),
  },
  responses: { 200: jsonResponse('The labeled detection.', LabeledDetection) },
  problems: [...JSON_PROBLEMS, 'not_found', 'type_mismatch', 'inference_unavailable'],
});
