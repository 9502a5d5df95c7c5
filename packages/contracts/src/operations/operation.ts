import { z } from 'zod';
import { timestamp } from '../timestamp.ts';

export const OperationKind = z.enum([
  'review',
  'bulk_review',
  'relabel',
  'dismiss',
  'enroll',
  'revoke',
  'cover',
  'rename',
  'external_ref',
  'merge',
  'delete_detections',
  'delete_identities',
  'delete_images',
  'replace',
  'bulk_detections',
  'bulk_images',
  'cluster_label',
  'cluster_dismiss',
  'undo',
]);

export type OperationKind = z.output<typeof OperationKind>;

export const Operation = z
  .object({
    id: z.int(),
    kind: OperationKind,
    count: z.int().describe('Number of changed detections, identities and images.'),
    actor: z
      .object({
        user_id: z.string().nullable().describe('The account that was signed in.'),
        name: z.string().nullable().describe('The name of that account.'),
        key_id: z.int().nullable().describe('The key of the request.'),
      })
      .nullable()
      .describe('Null for callers with the right `read`.'),
    created_at: timestamp,
    undone_by: z.int().nullable().describe('Id of the operation that took this one back.'),
    undoes: z.int().nullable().describe('Id of the operation that this one took back.'),
    undoable: z
      .boolean()
      .describe(
        'Whether the values from before are kept, the operation was not taken back, and no job is at work on it.',
      ),
    expires_at: timestamp.describe('When the values from before are deleted.'),
  })
  .meta({ id: 'Operation', description: 'A request that changed what people decided.' });

const Values = z.record(z.string(), z.unknown()).nullable();

export const OperationItem = z
  .object({
    detection_id: z.int().nullable(),
    identity_id: z.int().nullable(),
    image_id: z.int().nullable(),
    before: Values.describe(
      'The values that people decide, before the operation; null if the record was created, or the values are not kept.',
    ),
    after: Values.describe('The values after the operation; null if the record was deleted.'),
    changed_since: z
      .boolean()
      .describe('Whether the record was changed again, so that an undo skips it.'),
  })
  .meta({
    id: 'OperationItem',
    description: 'A changed detection, identity or image; one of the three ids is no null.',
  });
