import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';

export const RevokedDetection = z
  .object({
    detection_id: z.int(),
    removed: z.int().min(0).describe('Number of removed references of the face, for all models.'),
  })
  .meta({ id: 'RevokedDetection' });

export const revokeDetectionContract = defineContract({
  method: 'DELETE',
  path: '/api/detections/{id}/enroll',
  right: 'full',
  operation: 'revoke',
  tag: 'Enrollment',
  summary: 'Remove the references of a face',
  description: 'The face keeps its identity, its status and its embedding.',
  request: { path: idPath },
  responses: { 200: jsonResponse('What was removed.', RevokedDetection) },
  problems: ['not_found', 'not_a_face'],
});
