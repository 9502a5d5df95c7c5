import { z } from 'zod';
import { BoundingBox } from '../detections/bounding-box.ts';
import { cropUrl } from '../detections/detection.ts';
import { faceAttributes } from '../detections/face-attributes.ts';
import { timestamp } from '../timestamp.ts';

export const FaceEmbedding = z
  .object({
    id: z.int(),
    identity_id: z.int(),
    label: z.string(),
    model_id: z.int(),
    model_name: z.string(),
    detection_id: z.int(),
    source_image_id: z.int(),
    created_at: timestamp,
    crop_url: cropUrl,
    bbox: BoundingBox,
    quality: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe('Quality of the face; null if it was not measured, for example in some imports.'),
    pose: faceAttributes.pose,
    turned: faceAttributes.turned,
    decided_by: z
      .enum(['automatic', 'human'])
      .describe('Whether matching or a person decided about the face last.'),
  })
  .meta({ id: 'FaceEmbedding', description: 'A face that is enrolled under an identity.' });
