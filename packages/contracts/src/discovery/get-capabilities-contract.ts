import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { modelNames } from './model-task.ts';

/** What this build offers to integrate with. */
export const FEATURES = [
  'test',
  'test_batch',
  'verify',
  'identify',
  'detect',
  'enroll',
  'identities',
  'settings',
  'media',
  'idempotency_keys',
  'external_ref',
  'image_url',
  'image_base64',
] as const;

export const Capabilities = z
  .object({
    detection_types: z
      .array(z.enum(['faces', 'objects']))
      .describe('The detectors that have an active model.'),
    models: z.array(
      z.object({
        ...modelNames,
        version: z.string(),
        license: z.string(),
        commercial_use: z.boolean(),
        provides: z.array(z.enum(['age', 'gender', 'pose', 'landmarks'])),
        embedding_dim: z.int().nullable().describe('Null for models that make no embeddings.'),
      }),
    ),
    formats: z.array(z.string()).describe('Image formats, decided from the bytes.'),
    pagination: z.object({ default_limit: z.int(), max_limit: z.int() }),
    limits: z.object({
      image_bytes: z.int().describe('Most bytes of one image.'),
      image_pixels: z.int().describe('Most decoded pixels of one image.'),
      batch_images: z.int().describe('Most images of one batch test.'),
      batch_bytes: z.int().describe('Most bytes of the body of a batch test.'),
    }),
    features: z.array(z.enum(FEATURES)).describe('What this build offers to integrate with.'),
  })
  .meta({ id: 'Capabilities' });

export const getCapabilitiesContract = defineContract({
  method: 'GET',
  path: '/api/capabilities',
  right: 'none',
  tag: 'Discovery',
  summary: 'What the service can do now',
  request: {},
  responses: { 200: jsonResponse('What can be used now.', Capabilities) },
  problems: ['inference_unavailable'],
});
