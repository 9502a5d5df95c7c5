import { z } from 'zod';
import { cropUrl, reviewStatus } from '../detections/detection.ts';
import { confidence } from '../detections/face-attributes.ts';
import { timestamp } from '../timestamp.ts';

export const GalleryItem = z
  .object({
    detection_id: z.int(),
    crop_url: cropUrl,
    source_image_id: z.int(),
    source_external_ref: z.string().nullable().describe('The external_ref of the source image.'),
    detected_at: timestamp,
    confidence,
    review_status: reviewStatus,
  })
  .meta({ id: 'GalleryItem', description: 'A detection, as the lists of an identity show it.' });
