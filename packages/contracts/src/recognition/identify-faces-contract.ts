import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { BoundingBox } from '../detections/bounding-box.ts';
import { identityId, label, similarity, Suggestion } from '../detections/detection.ts';
import { confidence, faceAttributes } from '../detections/face-attributes.ts';
import { integer, numeric } from '../numeric.ts';
import { IMAGE_PROBLEMS } from '../problem-lists.ts';
import { IMAGE, imageBase64, imageBody, imageFile, imageUrl } from './image-source.ts';

const MAX_TOP_N = 50;
export const DEFAULT_TOP_N = 5;

const threshold = numeric(z.number().min(-1).max(1));
const topN = integer(z.int().min(1).max(MAX_TOP_N));

export const IdentifiedFace = z
  .object({
    bbox: BoundingBox,
    confidence,
    identity_id: identityId.describe('Null if no identity reaches the threshold.'),
    label,
    similarity,
    suggestions: z
      .array(Suggestion)
      .describe('The most similar identities, best first, including those below the threshold.'),
    ...faceAttributes,
  })
  .meta({ id: 'IdentifiedFace' });

export const Identification = z
  .object({
    threshold: z.number().min(-1).max(1),
    faces: z.array(IdentifiedFace).describe('In descending order of confidence.'),
  })
  .meta({ id: 'Identification' });

export const identifyFacesContract = defineContract({
  method: 'POST',
  path: '/api/identify',
  right: 'read',
  tag: 'Recognition',
  summary: 'Identify the faces in an image',
  description: 'Stores nothing.',
  request: {
    query: z.object({
      threshold: threshold.optional().describe('Default: the setting face.match_threshold.'),
      top_n: topN.optional().describe(`Number of suggestions. Default: ${DEFAULT_TOP_N}.`),
    }),
    body: imageBody({
      images: [IMAGE],
      fields: z.object({
        image_url: imageUrl.optional(),
        image_base64: imageBase64.optional(),
        threshold: threshold
          .optional()
          .describe('Takes precedence over the query parameter of the same name.'),
        top_n: topN
          .optional()
          .describe('Takes precedence over the query parameter of the same name.'),
      }),
      files: z.object({ file: imageFile.optional() }),
    }),
  },
  responses: { 200: jsonResponse('The faces and their identities.', Identification) },
  problems: [...IMAGE_PROBLEMS, 'no_active_model', 'vectors_unavailable'],
});
