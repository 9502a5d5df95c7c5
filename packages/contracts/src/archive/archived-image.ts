import { z } from 'zod';
import { storableText } from '../text.ts';
import { ArchivedDetection } from './archived-detection.ts';
import { archivedDigest, archivedFile } from './archived-file.ts';
import { archivedId } from './archived-id.ts';
import { archivedTime } from './archived-time.ts';

const side = z.int().min(1).max(1e6);

/** A line of a page's `images.jsonl`. */
export const ArchivedImage = z.object({
  image: archivedId,
  digest: archivedDigest.describe('SHA-256 of the posted file.'),
  size: z.int().min(1).describe('Size of the posted file in bytes.'),
  format: z.enum(['jpeg', 'png', 'webp', 'bmp', 'gif', 'tiff', 'heic', 'avif', 'mpo']),
  width: side.describe(
    'Width of the upright original in pixels. Boxes are in pixels of the upright original.',
  ),
  height: side,
  external_ref: storableText(1000).nullable(),
  uploaded_at: archivedTime,
  // The default is for archives of older releases, which lack the field.
  taken_at: archivedTime
    .nullable()
    .default(null)
    .describe('When the photo was taken, as its EXIF data says.'),
  file: archivedFile(/^images\/[1-9]\d{0,15}\.jpg$/)
    .extend({ width: side, height: side })
    .describe('The stored, upright JPEG.'),
  original: archivedFile(/^originals\/[1-9]\d{0,15}\.[a-z0-9]{1,8}$/)
    .nullable()
    .describe('The posted file, if it was kept.'),
  detections: z.array(ArchivedDetection),
});
