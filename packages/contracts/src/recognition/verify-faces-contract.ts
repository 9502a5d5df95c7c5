import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { BoundingBox } from '../detections/bounding-box.ts';
import { confidence, faceAttributes } from '../detections/face-attributes.ts';
import { numeric } from '../numeric.ts';
import { IMAGE_PROBLEMS } from '../problem-lists.ts';
import {
  FIRST_IMAGE,
  imageBase64,
  imageBody,
  imageFile,
  imageUrl,
  SECOND_IMAGE,
} from './image-source.ts';

const threshold = numeric(z.number().min(-1).max(1));

export const VerifiedFace = z
  .object({
    bbox: BoundingBox,
    confidence,
    ...faceAttributes,
    count: z.int().min(1).describe('Number of faces in the image. The largest face is compared.'),
  })
  .meta({ id: 'VerifiedFace' });

export const Verification = z
  .object({
    similarity: z.number().min(-1).max(1),
    match: z.boolean().describe('Whether the similarity reaches the threshold.'),
    threshold: z.number().min(-1).max(1),
    face1: VerifiedFace,
    face2: VerifiedFace,
  })
  .meta({ id: 'Verification' });

export const verifyFacesContract = defineContract({
  method: 'POST',
  path: '/api/verify',
  right: 'read',
  tag: 'Recognition',
  summary: 'Compare the largest faces of two images',
  description: 'Stores nothing. Each of the two images may be a file, a URL or base64 text.',
  request: {
    query: z.object({
      threshold: threshold.optional().describe('Default: the setting face.match_threshold.'),
    }),
    body: imageBody({
      images: [FIRST_IMAGE, SECOND_IMAGE],
      fields: z.object({
        image1_url: imageUrl.optional(),
        image1_base64: imageBase64.optional(),
        image2_url: imageUrl.optional(),
        image2_base64: imageBase64.optional(),
        threshold: threshold
          .optional()
          .describe('Takes precedence over the query parameter of the same name.'),
      }),
      files: z.object({ file1: imageFile.optional(), file2: imageFile.optional() }),
    }),
  },
  responses: { 200: jsonResponse('The similarity of the two faces.', Verification) },
  problems: [...IMAGE_PROBLEMS, 'face_count', 'no_embedding', 'no_active_model'],
});
