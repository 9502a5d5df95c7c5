import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { DETECT_PROBLEMS } from '../problem-lists.ts';
import { DetectionRun, runFields } from './detection-run.ts';
import { IMAGE, imageBody, imageFile } from './image-source.ts';

export const detectObjectsContract = defineContract({
  method: 'POST',
  path: '/api/detect/objects',
  right: 'full',
  idempotent: true,
  operation: 'replace',
  tag: 'Detection',
  summary: 'Find objects in an image and store them',
  description:
    'Each object gets the identity of its class. If an image with the same bytes is already stored, it is not stored again, and objects that were found before keep their detections.',
  request: {
    body: imageBody({
      images: [IMAGE],
      fields: z.object({
        ...runFields,
        label: z
          .never({
            error:
              'Objects cannot be labeled with this endpoint; use PUT /api/detections/{id}/label',
          })
          .optional(),
      }),
      files: z.object({ file: imageFile.optional() }),
    }),
  },
  responses: { 200: jsonResponse('The stored objects.', DetectionRun) },
  problems: DETECT_PROBLEMS,
});
