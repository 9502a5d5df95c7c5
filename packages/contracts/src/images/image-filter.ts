import { z } from 'zod';
import { DetectionType } from '../detections/detection.ts';
import { flag } from '../flag.ts';
import { repeatedId } from '../record-id.ts';
import { externalRef } from '../text.ts';
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
  has_manual_detections: flag.optional().describe('Images with a detection that a person drew.'),
};

/** The order of images. Images with equal values are ordered by id in the same direction. */
export const imageSort = z
  .enum(['newest', 'oldest', 'most_detections', 'fewest_detections'])
  .default('newest');
