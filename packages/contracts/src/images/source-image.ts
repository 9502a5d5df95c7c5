import { z } from 'zod';
import { timestamp } from '../timestamp.ts';

export const SourceImage = z
  .object({
    id: z.int(),
    external_ref: z.string().nullable(),
    file_path: z.string().describe('The key of the stored image in the media store.'),
    width: z.int().min(1).describe('Width of the upright original in pixels.'),
    height: z.int().min(1).describe('Height of the upright original in pixels.'),
    uploaded_at: timestamp,
    taken_at: timestamp
      .nullable()
      .describe(
        'When the photo was taken, as its EXIF data says: DateTimeOriginal with its offset, in UTC if there is no offset. Null if the data does not say. ISO 8601 in UTC with milliseconds.',
      ),
    detection_count: z.int().min(0).describe('Number of detected faces and objects.'),
    source_image_url: z.string().describe('Path of the stored image.'),
  })
  .meta({ id: 'SourceImage' });
