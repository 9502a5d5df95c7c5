import { z } from 'zod';
import {
  DetectionType,
  embeddingSource,
  reviewStatus,
  similarity,
} from '../detections/detection.ts';
import { faceAttributes } from '../detections/face-attributes.ts';
import { storableText } from '../text.ts';
import { archivedFile } from './archived-file.ts';
import { archivedId } from './archived-id.ts';
import { archivedTime } from './archived-time.ts';

const score = z.number().min(0).max(1);

/**
 * A coordinate in pixels, with limits that no image exceeds. Coordinates of landmarks may be negative, because
 * landmarks may lie outside the image.
 */
const coordinate = z.number().min(-1e6).max(1e6);

/** An age in years, limited to the range of the database column. */
const age = z.int().min(-32_768).max(32_767).nullable();

/** A reference to an embedding in the page's `vectors.f32`. */
export const ArchivedVector = z.object({
  model: archivedId,
  offset: z
    .int()
    .min(0)
    .describe("Position of the vector's first float in the file of vectors, counted in floats."),
  reference: z
    .object({ created_at: archivedTime })
    .nullable()
    .describe("Present if the embedding is enrolled under the detection's identity, else null."),
});

export const ArchivedRejection = z.object({
  identity: archivedId,
  is_latest: z.boolean().describe('Whether restoring the face assigns this identity again.'),
  rejected_at: archivedTime,
});

export const ArchivedDetection = z
  .object({
    detection: archivedId,
    type: DetectionType,
    bbox: z.object({
      x: coordinate,
      y: coordinate,
      w: coordinate.gt(0),
      h: coordinate.gt(0),
    }),
    confidence: score,
    quality: score.nullable(),
    landmarks: z
      .array(z.object({ x: coordinate, y: coordinate }))
      .length(5)
      .nullable(),
    class_name: storableText(1000).nullable(),
    class_id: z.int().min(0).max(2_147_483_647).nullable(),
    identity: archivedId.nullable(),
    is_cover: z.boolean().describe('Whether the detection is the cover of its identity.'),
    similarity,
    review_status: reviewStatus,
    decided_by: z.enum(['automatic', 'human']),
    is_manual: z.boolean().describe('Whether a person drew the box.'),
    dismissed_at: archivedTime.nullable(),
    mismatch_reviewed: z.boolean(),
    embedding_source: embeddingSource,
    age,
    gender: faceAttributes.gender,
    pose: faceAttributes.pose,
    // The default is for archives of older releases, which lack the field.
    turned: faceAttributes.turned.default(0),
    detected_at: archivedTime,
    crop: archivedFile(/^crops\/[1-9]\d{0,15}\.jpg$/),
    vectors: z.array(ArchivedVector).max(1000).describe('At most one vector of each model.'),
    rejected_from: z.array(ArchivedRejection).describe('Rejections, oldest first.'),
  })
  .refine(({ type, vectors }) => type === 'face' || vectors.length === 0, {
    error: 'An object cannot have vectors',
    path: ['vectors'],
  })
  .refine(({ type, rejected_from }) => type === 'face' || rejected_from.length === 0, {
    error: 'An object cannot have rejections',
    path: ['rejected_from'],
  })
  .refine(({ review_status, identity }) => review_status !== 'rejected' || identity === null, {
    error: 'A rejected detection cannot have an identity',
    path: ['identity'],
  })
  .refine(({ identity, is_cover }) => identity !== null || !is_cover, {
    error: 'A detection without an identity cannot be a cover',
    path: ['is_cover'],
  })
  .refine(
    ({ identity, review_status, vectors }) =>
      (identity !== null && review_status === 'confirmed') ||
      vectors.every(({ reference }) => reference === null),
    { error: 'Only a confirmed face can have references', path: ['vectors'] },
  );
