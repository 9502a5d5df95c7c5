import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';

export const EnrolledDetection = z
  .object({
    detection_id: z.int(),
    identity_id: z.int(),
    embedding_id: z.int().describe('Id of the reference.'),
    enrolled: z.boolean(),
  })
  .meta({ id: 'EnrolledDetection' });

export const enrollDetectionContract = defineContract({
  method: 'POST',
  path: '/api/detections/{id}/enroll',
  right: 'full',
  operation: 'enroll',
  idempotent: true,
  tag: 'Enrollment',
  summary: 'Enroll a stored face under its identity',
  description:
    'The face becomes confirmed. A face that is already enrolled keeps its reference, and the response is the same.',
  request: { path: idPath },
  responses: { 200: jsonResponse('The enrolled face.', EnrolledDetection) },
  problems: ['not_found', 'not_a_face', 'not_assigned', 'no_embedding', 'inference_unavailable'],
});
