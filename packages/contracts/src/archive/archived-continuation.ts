import { z } from 'zod';
import { ArchivedDetection, ArchivedRejection } from './archived-detection.ts';
import { archivedId } from './archived-id.ts';

/** A line that continues the record of an image, because the record is too long for one line. */
export const ArchivedContinuation = z.object({
  continues: archivedId.describe(
    'Id of the image in the preceding lines, which this line continues.',
  ),
  more_rejected_from: z
    .array(ArchivedRejection)
    .describe('Further rejections of the last detection in the preceding lines.'),
  more_detections: z.array(ArchivedDetection).describe('Further detections of the image.'),
});
