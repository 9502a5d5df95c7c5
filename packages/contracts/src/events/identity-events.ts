import { z } from 'zod';
import { DetectionType } from '../detections/detection.ts';
import { defineEvent } from './define-event.ts';
import { ofUndo } from './of-undo.ts';

const identity_id = z.int();
const detection_id = z.int();
const external_ref = z.string().nullable().describe('The external_ref of the identity.');

export const IdentityCreated = defineEvent(
  'identity.created',
  1,
  z.strictObject({
    identity_id,
    label: z.string(),
    type: DetectionType,
    external_ref,
    ...ofUndo,
  }),
);

export const IdentityUpdated = defineEvent(
  'identity.updated',
  1,
  z.discriminatedUnion('action', [
    z.strictObject({
      identity_id,
      action: z.literal('renamed'),
      label: z.string(),
      previous_label: z.string(),
      external_ref,
      ...ofUndo,
    }),
    z.strictObject({
      identity_id,
      action: z.literal('thumbnail_updated'),
      cover_detection_id: z.int().nullable(),
      external_ref,
      ...ofUndo,
    }),
    z.strictObject({
      identity_id,
      action: z.enum(['embedding_added', 'embedding_removed']),
      embedding_id: z.int(),
      detection_id,
      external_ref,
      ...ofUndo,
    }),
    z.strictObject({
      identity_id,
      action: z.literal('detection_added'),
      detection_id,
      external_ref,
      ...ofUndo,
    }),
  ]),
);

export const IdentityDeleted = defineEvent(
  'identity.deleted',
  1,
  z.strictObject({ identity_id, external_ref, ...ofUndo }),
);

export const IdentityMerged = defineEvent(
  'identity.merged',
  1,
  z.strictObject({
    identity_id: identity_id.describe('The id of the identity that was merged and deleted.'),
    merged_into: z.int(),
    external_ref,
  }),
);
