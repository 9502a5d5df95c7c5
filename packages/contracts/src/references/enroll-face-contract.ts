import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { ENROLL_PROBLEMS } from '../problem-lists.ts';
import { givenLabel } from '../identities/given-label.ts';
import { IMAGE, imageBase64, imageBody, imageFile, imageUrl } from '../recognition/image-source.ts';
import { externalRef } from '../text.ts';

export const Enrollment = z
  .object({
    identity_id: z.int(),
    label: z.string(),
    embedding_id: z.int().describe('Id of the reference.'),
    enrolled: z.boolean(),
  })
  .meta({ id: 'Enrollment' });

export const enrollFaceContract = defineContract({
  method: 'POST',
  path: '/api/faces/enroll',
  right: 'full',
  operation: 'enroll',
  idempotent: true,
  tag: 'Enrollment',
  summary: 'Enroll a face under a name',
  description:
    'The image must contain exactly one face. If an identity with this name exists, the identity gets another reference. If the same photo is already enrolled under this name, the response contains the existing reference.',
  request: {
    body: imageBody({
      images: [IMAGE],
      fields: z.object({
        name: givenLabel.describe('Label of the identity, which is created if it does not exist.'),
        external_ref: externalRef.describe(
          'Stored on the identity if the identity has no external_ref yet.',
        ),
        image_url: imageUrl.optional(),
        image_base64: imageBase64.optional(),
      }),
      files: z.object({ file: imageFile.optional() }),
    }),
  },
  responses: { 200: jsonResponse('The enrolled face.', Enrollment) },
  problems: [...ENROLL_PROBLEMS, 'external_ref_conflict'],
});
