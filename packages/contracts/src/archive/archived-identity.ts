import { z } from 'zod';
import { DetectionType } from '../detections/detection.ts';
import { storableText } from '../text.ts';
import { archivedId } from './archived-id.ts';
import { archivedTime } from './archived-time.ts';

/** The maximum length in UTF-16 code units; a character outside the Basic Multilingual Plane has two. */
const MAX_LABEL_UNITS = 400;

/** A line of `identities.jsonl`. */
export const ArchivedIdentity = z.object({
  identity: archivedId,
  type: DetectionType,
  label: storableText(MAX_LABEL_UNITS).min(1).describe('Unique among the identities of its type.'),
  external_ref: storableText(1000).nullable(),
  created_at: archivedTime,
});
