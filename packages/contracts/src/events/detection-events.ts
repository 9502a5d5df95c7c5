import { z } from 'zod';
import { DetectionType } from '../detections/detection.ts';
import { defineEvent } from './define-event.ts';
import { ofUndo } from './of-undo.ts';

const detection = z.strictObject({
  detection_id: z.int(),
  type: DetectionType,
  identity_id: z.int().nullable(),
  external_ref: z.string().nullable().describe('The external_ref of the source image.'),
  ...ofUndo,
});

export const DetectionCreated = defineEvent('detection.created', 1, detection);

export const DetectionLabeled = defineEvent('detection.labeled', 1, detection);

const MAX_IDS = 1000;

export const DetectionDeleted = defineEvent(
  'detection.deleted',
  1,
  z.strictObject({
    detection_ids: z.array(z.int()).min(1).max(MAX_IDS).readonly(),
    external_refs: z
      .array(z.string().nullable())
      .min(1)
      .max(MAX_IDS)
      .readonly()
      .describe('The external_refs of the source images, in the order of the ids.'),
    ...ofUndo,
  }),
);
