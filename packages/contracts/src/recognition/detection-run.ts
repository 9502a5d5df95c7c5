import { z } from 'zod';
import { BoundingBox } from '../detections/bounding-box.ts';
import {
  cropUrl,
  identityId,
  label,
  reviewStatus,
  similarity,
  Suggestion,
} from '../detections/detection.ts';
import { Counts } from '../detections/counts.ts';
import { confidence, faceAttributes } from '../detections/face-attributes.ts';
import { modelNames } from '../discovery/model-task.ts';
import { flag } from '../flag.ts';
import { givenLabel } from '../identities/given-label.ts';
import { externalRef } from '../text.ts';
import { imageBase64, imageUrl } from './image-source.ts';

const created = z.boolean().describe('False if the detection was already stored.');

export const DetectedFace = z
  .object({
    detection_id: z.int(),
    bbox: BoundingBox,
    confidence,
    quality: z
      .number()
      .min(0)
      .max(1)
      .describe('Suitability of the face for enrollment, from 0 to 1.'),
    landmarks: z
      .array(z.object({ x: z.number(), y: z.number() }))
      .length(5)
      .nullable()
      .describe(
        'Coordinates in pixels of the left eye, right eye, nose, left corner and right corner of the mouth. Left and right are as seen in the image.',
      ),
    identity_id: identityId,
    label,
    similarity,
    review_status: reviewStatus,
    enrolled: z.boolean().describe("Whether the face's embedding is a reference of its identity."),
    created,
    crop_url: cropUrl,
    suggestions: z.array(Suggestion).describe('Possible identities, the most similar first.'),
    ...faceAttributes,
  })
  .meta({ id: 'DetectedFace' });

export const DetectedObject = z
  .object({
    detection_id: z.int(),
    bbox: BoundingBox,
    confidence,
    class_name: z.string().nullable().describe('Null if a person drew the box.'),
    class_id: z.int().nullable().describe('Null if no model assigned the class.'),
    identity_id: identityId,
    label,
    review_status: reviewStatus,
    created,
    crop_url: cropUrl,
  })
  .meta({ id: 'DetectedObject' });

export const found = { faces: z.array(DetectedFace), objects: z.array(DetectedObject) };

/** A member of the result of one of several images. */
export const replaced = {
  operation_id: z
    .int()
    .optional()
    .describe(
      'The operation that keeps the removed detections about which people decided; absent if there were none.',
    ),
};

const UsedModel = z
  .object(modelNames)
  .nullable()
  .describe('The model that was used; null if no model was needed or active.');

/** The stored image with the faces and objects that were found and stored. */
export const DetectionRun = z
  .object({
    source_image_id: z.int(),
    source_image_url: z.string().describe('Path of the stored image.'),
    external_ref: z.string().nullable(),
    width: z.int().min(1).describe('Width of the upright original in pixels.'),
    height: z.int().min(1).describe('Height of the upright original in pixels.'),
    reused: z.boolean().describe('Whether the image was already stored.'),
    model: z.object({ faces: UsedModel, objects: UsedModel }),
    ...found,
    counts: Counts,
  })
  .meta({ id: 'DetectionRun' });

/** The members of every detection request, without the image file. */
export const runFields = {
  image_url: imageUrl.optional(),
  image_base64: imageBase64.optional(),
  external_ref: externalRef.describe(
    'Stored on the source image. If omitted, an image that is already stored keeps its external_ref.',
  ),
  replace: flag
    .optional()
    .describe(
      'Whether to remove earlier detections of the requested type from the image. Default: false.',
    ),
};

export const labelField = givenLabel
  .optional()
  .describe(
    'Name of a person. The face with the highest score is confirmed and enrolled as this person.',
  );
