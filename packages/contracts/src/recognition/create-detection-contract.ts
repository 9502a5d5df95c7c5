import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { cropUrl, DetectionType, identityId, label } from '../detections/detection.ts';
import { JSON_PROBLEMS, STORED_IMAGE_PROBLEMS } from '../problem-lists.ts';
import { idPath } from '../record-id.ts';
import { givenLabel } from '../identities/given-label.ts';

const DrawnBox = z
  .object({
    x: z.number().describe('X coordinate of the left edge.'),
    y: z.number().describe('Y coordinate of the upper edge.'),
    w: z.number().positive().describe('Width.'),
    h: z.number().positive().describe('Height.'),
  })
  .meta({
    id: 'DrawnBox',
    description:
      'A box in pixels of the upright original image. The part outside the image is cut off; at least one pixel must remain.',
  });

export const CreatedDetection = z
  .object({
    detection_id: z.int(),
    identity_id: identityId,
    label,
    crop_url: cropUrl,
    is_manual: z.literal(true),
  })
  .meta({ id: 'CreatedDetection' });

export const createDetectionContract = defineContract({
  method: 'POST',
  path: '/api/images/{id}/detections',
  right: 'full',
  idempotent: true,
  tag: 'Images',
  summary: 'Store a face or an object that a person has drawn a box around',
  description:
    'The box becomes a new detection, even if it overlaps a stored detection. With a label, the detection is confirmed, and a face is also enrolled. Without a label, a face is compared with the enrolled people and waits for review, and an object has no identity.',
  request: {
    path: idPath,
    body: jsonBody(z.object({ type: DetectionType, bbox: DrawnBox, label: givenLabel.optional() })),
  },
  responses: { 200: jsonResponse('The stored detection.', CreatedDetection) },
  problems: [...JSON_PROBLEMS, ...STORED_IMAGE_PROBLEMS, 'not_found'],
});
