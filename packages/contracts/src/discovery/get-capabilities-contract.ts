import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { wayToSignIn } from '../accounts/user.ts';
import { modelNames } from './model-task.ts';

export const FEATURES = [
  'test',
  'test_batch',
  'verify',
  'identify',
  'detect',
  'detect_bulk',
  'enroll',
  'manual_boxes',
  'reprocess',
  'jobs',
  'export',
  'import',
  'identities',
  'merge',
  'review',
  'review_groups',
  'review_by_filter',
  'mismatches',
  'cluster_decisions',
  'operations',
  'undo',
  'bulk_actions',
  'search',
  'buckets',
  'settings',
  'models',
  'model_download',
  'media',
  'idempotency_keys',
  'external_ref',
  'image_url',
  'image_base64',
  'image_details',
  'object_classes',
  'job_items',
  'job_retry',
  'delivery_details',
  'changes_wait',
  'setting_ranges',
  'media_widths',
  'daily_stats',
  'face_embedding_details',
  'activation_plan',
  'accept_license',
  'system_status',
] as const;

export const Capabilities = z
  .object({
    detection_types: z
      .array(z.enum(['faces', 'objects']))
      .describe('Detectors with an active model.'),
    models: z.array(
      z.object({
        ...modelNames,
        version: z.string(),
        license: z.string(),
        commercial_use: z
          .union([z.boolean(), z.literal('unknown')])
          .describe('Whether the license allows commercial use; `unknown` is no permission.'),
        commercial_use_reason: z
          .string()
          .nullable()
          .describe('An explanation of whether commercial use is allowed, if there is one.'),
        provides: z.array(z.enum(['age', 'gender', 'pose', 'landmarks'])),
        embedding_dim: z
          .int()
          .nullable()
          .describe('Length of the embeddings; null for models without embeddings.'),
      }),
    ),
    formats: z
      .array(z.string())
      .describe('Accepted image formats; the format is detected from the content.'),
    pagination: z.object({ default_limit: z.int(), max_limit: z.int() }),
    limits: z.object({
      image_bytes: z.int().describe('Maximum size of an image in bytes.'),
      image_pixels: z.int().describe('Maximum number of pixels of an image.'),
      bulk_images: z.int().describe('Maximum number of images of a bulk detection.'),
      bulk_job_images: z.int().describe('Maximum number of images of a bulk detection as a job.'),
      batch_images: z.int().describe('Maximum number of images in a batch test.'),
      batch_bytes: z.int().describe('Maximum size of a form with many images in bytes.'),
      reprocess_images: z.int().describe('Maximum number of images in a request to reprocess.'),
      unfinished_jobs: z.int().describe('Maximum number of jobs that have not ended.'),
      results_days: z.int().describe('Number of days for which the results of a job are kept.'),
      ids: z.int().describe('Maximum number of ids in one request.'),
      label_characters: z.int().describe('Maximum number of characters of a label.'),
      search_characters: z.int().describe('Maximum number of characters of a search.'),
    }),
    sign_in: z.array(wayToSignIn).describe('The ways in which people sign in.'),
    features: z
      .array(z.enum(FEATURES))
      .describe('Features of this version that clients can check for.'),
  })
  .meta({ id: 'Capabilities' });

export const getCapabilitiesContract = defineContract({
  method: 'GET',
  path: '/api/capabilities',
  right: 'none',
  tag: 'Discovery',
  summary: 'Get the capabilities of the service',
  request: {},
  responses: { 200: jsonResponse('The current capabilities.', Capabilities) },
  problems: ['inference_unavailable'],
});
