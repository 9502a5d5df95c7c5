import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { ENROLL_PROBLEMS } from '../problem-lists.ts';
import { IMAGE, imageBase64, imageBody, imageFile, imageUrl } from '../recognition/image-source.ts';
import { idPath } from '../record-id.ts';
import { Enrollment } from './enroll-face-contract.ts';

export const enrollIdentityContract = defineContract({
  method: 'POST',
  path: '/api/identities/{id}/enroll',
  right: 'full',
  operation: 'enroll',
  idempotent: true,
  tag: 'Enrollment',
  summary: 'Add a reference photo to an identity',
  description:
    'The image must contain exactly one face. If the same photo is already enrolled under the identity, the response contains the existing reference.',
  request: {
    path: idPath,
    body: imageBody({
      images: [IMAGE],
      fields: z.object({
        image_url: imageUrl.optional(),
        image_base64: imageBase64.optional(),
      }),
      files: z.object({ file: imageFile.optional() }),
    }),
  },
  responses: { 200: jsonResponse('The enrolled face.', Enrollment) },
  problems: [...ENROLL_PROBLEMS, 'not_found', 'type_mismatch'],
});
