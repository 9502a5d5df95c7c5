import { z } from 'zod';
import { ArchivedDetection, ArchivedRejection } from './archived-detection.ts';
import { archivedId } from './archived-id.ts';

/** A further line of an image that has too much for one. */
export const ArchivedContinuation = z.object({
  continues: archivedId.describe('The image of the lines before.'),
  more_rejected_from: z
    .array(ArchivedRejection)
    .describe('Further rejections of the last detection of the lines before.'),
  more_detections: z.array(ArchivedDetection).describe('Further detections of the image.'),
});
