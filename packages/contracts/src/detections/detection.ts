import { z } from 'zod';
import { timestamp } from '../timestamp.ts';
import { BoundingBox } from './bounding-box.ts';
import { confidence, faceAttributes } from './face-attributes.ts';

export const DetectionType = z.enum(['face', 'object']).meta({
  id: 'DetectionType',
  description: 'Whether the detection or identity is a face or an object.',
});

export const reviewStatus = z
  .enum(['pending', 'confirmed', 'rejected'])
  .describe(
    'Whether the assignment to the identity waits for review, is confirmed, or was rejected.',
  );

export const identityId = z.int().nullable().describe('Null if the detection has no identity.');

export const label = z.string().nullable().describe('Label of the identity.');

export const cropUrl = z.string().describe('Path of the crop.');

export const similarity = z
  .number()
  .min(-1)
  .max(1)
  .nullable()
  .describe(
    'Similarity to the best matching identity; null if there is no identity to compare with.',
  );

export const embeddingSource = z
  .enum(['aligned', 'box'])
  .nullable()
  .describe(
    'Whether the embedding was computed from the aligned face or from the box; null without an embedding, for example if eyes, nose and mouth were not found in plausible positions. Such a face is never matched.',
  );

export const Suggestion = z
  .object({
    identity_id: z.int(),
    label: z.string(),
    similarity: z.number().min(-1).max(1),
  })
  .meta({ id: 'Suggestion', description: 'A possible identity of a face.' });

export const Detection = z
  .object({
    id: z.int(),
    detection_id: z.int().describe('The same as `id`.'),
    type: DetectionType,
    source_image_id: z.int(),
    bbox: BoundingBox,
    confidence,
    identity_id: identityId,
    label,
    review_status: reviewStatus,
    crop_url: cropUrl,
    detected_at: timestamp,
    is_manual: z.boolean().describe('Whether a person drew the box.'),
    embedding_source: embeddingSource,
    class_name: z.string().nullable().describe('Null for faces.'),
    class_id: z
      .int()
      .nullable()
      .describe('Null for faces, and for objects whose class no model assigned.'),
    mismatch_reviewed: z.boolean(),
    ...faceAttributes,
  })
  .meta({ id: 'Detection' });
