import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { DETECT_PROBLEMS } from '../problem-lists.ts';
import { DetectionRun, labelField, runFields } from './detection-run.ts';
import { IMAGE, imageBody, imageFile } from './image-source.ts';

export const detectFacesContract = defineContract({
  method: 'POST',
  path: '/api/detect/faces',
  right: 'full',
  idempotent: true,
  operation: 'replace',
  tag: 'Detection',
  summary: 'Find faces in an image and store them',
  description:
    'Faces are compared with the enrolled people. If an image with the same bytes is already stored, it is not stored again, and faces that were found before keep their detections.',
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
  responses: { 200: jsonResponse('The stored faces.', DetectionRun) },
  problems: DETECT_PROBLEMS,
});
