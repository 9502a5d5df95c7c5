import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { DETECT_PROBLEMS } from '../problem-lists.ts';
import { DetectionRun, labelField, runFields } from './detection-run.ts';
import { IMAGE, imageBody, imageFile } from './image-source.ts';

export const detectAllContract = defineContract({
  method: 'POST',
  path: '/api/detect/all',
  right: 'full',
  idempotent: true,
  operation: 'replace',
  tag: 'Detection',
  summary: 'Find faces and objects in an image and store them',
  description:
    'Runs the detectors that have an active model, in the same way as the endpoints for faces and for objects. If no detector has an active model, the response is 503.',
  request: {
    body: imageBody({
      images: [IMAGE],
      fields: z.object({
        ...runFields,
        label: labelField,
      }),
      files: z.object({ file: imageFile.optional() }),
    }),
  },
  responses: { 200: jsonResponse('The stored faces and objects.', DetectionRun) },
  problems: DETECT_PROBLEMS,
});
