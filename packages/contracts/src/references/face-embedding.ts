import { z } from 'zod';
import { cropUrl } from '../detections/detection.ts';
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
  })
  .meta({ id: 'FaceEmbedding', description: 'A face that is enrolled under an identity.' });
