import { z } from 'zod';
import { DetectionType } from '../detections/detection.ts';
import { timestamp } from '../timestamp.ts';

const identity = {
  id: z.int(),
  type: DetectionType,
  label: z.string().describe('Unique among the identities of its type.'),
  external_ref: z.string().nullable(),
  cover_detection_id: z.int().nullable(),
  created_at: timestamp,
};

export const Identity = z.object(identity).meta({ id: 'Identity' });

export const IdentityDetails = z
  .object({
    ...identity,
    detection_count: z.int().min(0),
    embedding_count: z.int().min(0).describe('Number of references of the active face model.'),
    pending_review_count: z.int().min(0),
    last_seen_at: timestamp
      .nullable()
      .describe(
        'When the newest detection was detected; null without a detection. ISO 8601 in UTC with milliseconds.',
      ),
    thumbnail_url: z
      .string()
      .nullable()
      .describe('Path of the crop of the cover detection, else of the newest confirmed detection.'),
  })
  .meta({ id: 'IdentityDetails' });
