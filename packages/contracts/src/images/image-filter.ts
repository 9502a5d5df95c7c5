import { z } from 'zod';
import { DetectionType, reviewStatus } from '../detections/detection.ts';
import { flag } from '../flag.ts';
import { integer } from '../numeric.ts';
import { repeatedId } from '../record-id.ts';
import { externalRef, storableText } from '../text.ts';
import { timeFilter } from '../timestamp.ts';

/** The query parameters that select source images. An image must match all given parameters. */
export const imageFilter = {
  identity_id: repeatedId
    .optional()
    .describe(
      'Images with a detection of this identity. If the parameter is repeated, images with a detection of each identity.',
    ),
  type: DetectionType.optional().describe('Images with detections of this type.'),
  external_ref: externalRef.describe('Exact match.'),
  since: timeFilter.optional().describe('Uploaded at this time or later.'),
  until: timeFilter.optional().describe('Uploaded before this time.'),
  no_detections: flag.optional().describe('Images without detections.'),
  no_tagged_faces: flag
    .optional()
    .describe('Images without identified faces, including images without faces.'),
  no_crops: flag.optional().describe('Images without stored crops.'),
  class_name: storableText(1000).optional().describe('Images with an object of this class.'),
  without_identity_id: integer()
    .optional()
    .describe('Images without a detection of this identity.'),
  identity_twice: flag
    .optional()
    .describe('Images in which one identity has two detections or more.'),
  review_status: reviewStatus.optional().describe('Images with a detection of this status.'),
  taken_since: timeFilter.optional().describe('Taken at this time or later.'),
  taken_until: timeFilter.optional().describe('Taken before this time.'),
  has_manual_detections: flag.optional().describe('Images with a detection that a person drew.'),
};

/** The order of images. Images with equal values are ordered by id in the same direction. */
export const imageSort = z
  .enum(['newest', 'oldest', 'most_detections', 'fewest_detections', 'taken'])
  .default('newest')
  .describe(
    'Order of the images. `newest` and `oldest` are those of the upload. `taken`: the photos that were taken last come first; images whose `taken_at` is null come last.',
  );
