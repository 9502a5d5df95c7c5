import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { DetectionTypes } from '../detections/detection-types.ts';
import { ItemError } from '../item-error.ts';
import { asynchronous, StartedBatch } from '../jobs/started-job.ts';
import { IMAGE_PROBLEMS, problemsBeside } from '../problem-lists.ts';
import type { ProblemCode } from '../problem.ts';
import { externalRef, storableText } from '../text.ts';
import { MAX_FORM_BATCH_BYTES, MAX_JSON_IMAGES_BYTES } from './batch-limits.ts';
import { found, replaced } from './detection-run.ts';
import { imageBase64, imageFile } from './image-source.ts';
import { runsFields } from './runs-fields.ts';

/** The maximum number of images in a request without `async`. */
export const MAX_BULK_IMAGES = 20;

/** The maximum number of images in a request that starts a job. */
export const MAX_BULK_JOB_IMAGES = 200;

/** The problems that fail a single image. The other images of the request still get results. */
export const BULK_ITEM_PROBLEMS = [
  'image_source',
  'image_fetch_failed',
  'image_too_large',
  'unsupported_format',
  'image_corrupt',
] as const satisfies readonly ProblemCode[];

/**
 * A URL as text. The service checks the URL when it fetches the image, so that an invalid URL fails only one image.
 */
const url = storableText(8192);

const image = z
  .object({
    image_url: url.optional(),
    image_base64: imageBase64.optional(),
    external_ref: externalRef.describe(
      'Stored on the source image. If omitted, an image that is already stored keeps its external_ref.',
    ),
  })
  .describe('An image with exactly one of image_url and image_base64.');

/** The members by which a result names its image. */
export const bulkItem = {
  index: z.int().min(0).describe('Position of the image in the request.'),
  filename: z
    .string()
    .nullable()
    .optional()
    .describe('File name of the uploaded part; absent for other images.'),
  image_url: z
    .string()
    .optional()
    .describe('The URL of the image; absent if the request gave no URL.'),
};

export const BulkResult = z
  .union([
    z.object({ ...bulkItem, source_image_id: z.int(), ...found, ...replaced }),
    z.object({ ...bulkItem, error: ItemError }),
  ])
  .meta({ id: 'BulkResult' });

export const DetectedImages = z
  .object({
    total: z.int().min(1),
    type: DetectionTypes,
    results: z.array(BulkResult).describe('One result per image, in the order of the request.'),
  })
  .meta({ id: 'DetectedImages' });

const images = <T extends z.ZodType>(one: T) => z.array(one).min(1).max(MAX_BULK_JOB_IMAGES);

/** A list of URLs. A form with one URL contains a single text instead of a list. */
const urls = z.preprocess(
  (value) => (typeof value === 'string' ? [value] : value),
  images(url),
) as unknown as z.ZodType<string[], readonly string[]>;

export const detectBulkContract = defineContract({
  method: 'POST',
  path: '/api/detect/bulk',
  right: 'full',
  idempotent: true,
  operation: 'replace',
  tag: 'Detection',
  summary: 'Find faces and objects in many images and store them',
  description: [
    `A request contains either URLs, images in JSON, or files: at most ${MAX_BULK_IMAGES} images, or ${MAX_BULK_JOB_IMAGES} as a job. Each image is processed in the same way as by \`/api/detect/all\`. An image that occurs twice is stored once.`,
    'The result of an image that cannot be processed, or whose analysis fails unexpectedly (`inference_unavailable`), has an `error`; the other images are not affected. If inference or a store is unavailable, the request fails, and the images that were already stored stay stored. A job does not fail in this case but waits. A job stores files and base64 images until it processes them, and fetches each URL when it processes the image. The user name and password of such a URL are stored encrypted until its item ends; without a key for secrets, the request fails (`no_secret_key`).',
  ].join('\n\n'),
  request: {
    query: z.object({ async: asynchronous }),
    body: {
      maxBytes: {
        'multipart/form-data': MAX_FORM_BATCH_BYTES,
        'application/json': MAX_JSON_IMAGES_BYTES,
      },
      fields: z.object({
        image_urls: urls
          .optional()
          .describe('URLs of images, http or https, from which the service fetches the images.'),
        images: images(image).optional(),
        ...runsFields,
      }),
      files: z.object({ file: images(imageFile).optional() }),
      imageTexts: ['images.*.image_base64'],
      jsonOnly: ['images'],
      exactlyOneOf: [['file', 'image_urls', 'images']],
    },
  },
  responses: {
    200: jsonResponse('One result per image.', DetectedImages),
    202: jsonResponse('The job that does the work.', StartedBatch),
  },
  problems: [
    ...problemsBeside(BULK_ITEM_PROBLEMS, IMAGE_PROBLEMS),
    'image_source',
    'no_active_model',
    'vectors_unavailable',
    'too_many_jobs',
    'no_secret_key',
  ],
});
