import { z } from 'zod';
import { DetectionType } from '../detections/detection.ts';
import { flag } from '../flag.ts';
import { repeatedId } from '../record-id.ts';
import { externalRef } from '../text.ts';
import { timeFilter } from '../timestamp.ts';

/** The query that chooses source images; every member restricts further. */
export const imageFilter = {
  identity_id: repeatedId
    .optional()
    .describe('Images with a detection of this identity; of each of them, if repeated.'),
  type: DetectionType.optional().describe('Images with detections of this type.'),
  external_ref: externalRef.describe('Exactly this one.'),
  since: timeFilter.optional().describe('Uploaded then or later.'),
  until: timeFilter.optional().describe('Uploaded before then.'),
  no_detections: flag.optional().describe('Images without any detection.'),
  no_tagged_faces: flag
    .optional()
    .describe('Images without an identified face, those without faces among them.'),
  no_crops: flag.optional().describe('Images without stored crops.'),
  has_manual_detections: flag
    .optional()
    .describe('Images with a detection that a person has drawn.'),
  sort: z
    .enum(['newest', 'oldest', 'most_detections', 'fewest_detections'])
    .optional()
    .describe('Default: newest.'),
};
