import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { BoundingBox } from '../detections/bounding-box.ts';
import {
  cropUrl,
  embeddingSource,
  identityId,
  label,
  reviewStatus,
} from '../detections/detection.ts';
import { confidence, faceAttributes } from '../detections/face-attributes.ts';
import { idPath } from '../record-id.ts';
import { timestamp } from '../timestamp.ts';

export const ImageFace = z
  .object({
    detection_id: z.int(),
    bbox: BoundingBox,
    confidence,
    identity_id: identityId,
    label,
    crop_url: cropUrl,
    review_status: reviewStatus,
    embedding_source: embeddingSource,
    ...faceAttributes,
  })
  .meta({ id: 'ImageFace' });

export const ImageFaces = z
  .object({
    source_image_id: z.int(),
    external_ref: z.string().nullable(),
    width: z.int().min(1).describe('Width of the upright original in pixels.'),
    height: z.int().min(1).describe('Height of the upright original in pixels.'),
    uploaded_at: timestamp,
    source_image_url: z.string().describe('Path of the stored image.'),
    scene_tags: z.array(z.string()).describe('Always empty: no model provides tags.'),
    faces: z.array(ImageFace).describe('Faces in ascending order of id.'),
  })
  .meta({ id: 'ImageFaces' });

export const getImageFacesContract = defineContract({
  method: 'GET',
  path: '/api/images/{id}/faces',
  right: 'read',
  tag: 'Images',
  summary: 'Get a source image with its faces',
  request: { path: idPath },
  responses: { 200: jsonResponse('The image and its faces.', ImageFaces) },
  problems: ['not_found'],
});
