import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { BoundingBox } from '../detections/bounding-box.ts';
import { DetectionTypes } from '../detections/detection-types.ts';
import { Counts } from '../detections/counts.ts';
import { confidence, faceAttributes } from '../detections/face-attributes.ts';
import { IMAGE_PROBLEMS } from '../problem-lists.ts';
import { IMAGE, imageBase64, imageBody, imageFile, imageUrl } from './image-source.ts';

export const TestedFace = z
  .object({
    bbox: BoundingBox,
    confidence,
    label: z
      .string()
      .nullable()
      .describe('Label of the matched identity; null if no identity matches.'),
    similarity: z
      .number()
      .min(-1)
      .max(1)
      .nullable()
      .describe(
        'Similarity to the best matching identity; null if there is no identity to compare with.',
      ),
    identity_id: z
      .int()
      .nullable()
      .describe('Id of the matched identity; null if no identity matches.'),
    ...faceAttributes,
  })
  .meta({ id: 'TestedFace' });

export const TestedObject = z
  .object({
    bbox: BoundingBox,
    confidence,
    class_name: z.string(),
    class_id: z.int().min(0),
  })
  .meta({ id: 'TestedObject' });

export const imageTest = {
  faces: z.array(TestedFace).describe('In descending order of confidence.'),
  objects: z.array(TestedObject).describe('In descending order of confidence.'),
  counts: Counts,
  available: z
    .object({ faces: z.boolean(), objects: z.boolean() })
    .describe(
      'Whether each detector has an active model. Detectors without an active model are skipped.',
    ),
};

export const ImageTest = z.object(imageTest).meta({ id: 'ImageTest' });

export const testImageContract = defineContract({
  method: 'POST',
  path: '/api/test',
  right: 'read',
  tag: 'Recognition',
  summary: 'Find faces and objects in an image',
  description: 'Stores nothing. Detectors without an active model are skipped without an error.',
  request: {
    query: z.object({ type: DetectionTypes.optional().describe('Default: all.') }),
    body: imageBody({
      images: [IMAGE],
      fields: z.object({
        image_url: imageUrl.optional(),
        image_base64: imageBase64.optional(),
        type: DetectionTypes.optional().describe(
          'Takes precedence over the query parameter of the same name.',
        ),
      }),
      files: z.object({ file: imageFile.optional() }),
    }),
  },
  responses: { 200: jsonResponse('The faces and objects in the image.', ImageTest) },
  problems: [...IMAGE_PROBLEMS, 'vectors_unavailable'],
});
