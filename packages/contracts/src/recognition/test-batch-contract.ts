import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { DetectionTypes } from '../detections/detection-types.ts';
import { FORM_PROBLEMS } from '../problem-lists.ts';
import { MAX_FORM_BATCH_BYTES } from './batch-limits.ts';
import { imageFile } from './image-source.ts';
import { imageTest } from './test-image-contract.ts';

export const MAX_BATCH_IMAGES = 100;

const item = {
  index: z.int().min(0).describe('Position of the image in the request.'),
  filename: z.string().nullable().describe('File name of the uploaded part.'),
};

export const BatchTestResult = z
  .union([
    z.object({ ...item, ...imageTest }).meta({ id: 'TestedImage' }),
    z
      .object({
        ...item,
        error: z.string().describe('The reason why the image could not be analyzed.'),
      })
      .meta({ id: 'UntestedImage' }),
  ])
  .meta({ id: 'BatchTestResult' });

export const BatchTest = z
  .object({
    total: z.int().min(1),
    type: DetectionTypes,
    results: z
      .array(BatchTestResult)
      .describe('One result per image, in the order of the request.'),
  })
  .meta({ id: 'BatchTest' });

export const testBatchContract = defineContract({
  method: 'POST',
  path: '/api/test/batch',
  right: 'read',
  tag: 'Recognition',
  summary: 'Find faces and objects in many images',
  description:
    'Stores nothing. The result of an image that cannot be analyzed has an `error`; the other images are not affected.',
  request: {
    query: z.object({ type: DetectionTypes.optional().describe('Default: all.') }),
    body: {
      maxBytes: { 'multipart/form-data': MAX_FORM_BATCH_BYTES },
      fields: z.object({
        type: DetectionTypes.optional().describe(
          'Takes precedence over the query parameter of the same name.',
        ),
      }),
      files: z.object({ file: z.array(imageFile).min(1).max(MAX_BATCH_IMAGES) }),
      imageTexts: [],
      exactlyOneOf: [],
    },
  },
  responses: { 200: jsonResponse('One result per image.', BatchTest) },
  problems: [...FORM_PROBLEMS, 'overloaded'],
});
