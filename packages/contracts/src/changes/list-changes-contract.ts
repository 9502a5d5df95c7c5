import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { integer } from '../numeric.ts';
import { page } from '../pagination.ts';
import { timestamp } from '../timestamp.ts';

export const Change = z
  .object({
    id: z.int().describe('Dense and rising within the environment.'),
    entity_type: z.enum(['detection', 'identity']),
    entity_id: z.int(),
    action: z
      .enum(['created', 'relabeled', 'updated', 'merged', 'deleted'])
      .describe(
        '`relabeled`: a detection has another identity, or none; an identity has another name. ' +
          '`updated`: cover, references or detections of an identity. `merged`: the identity is gone.',
      ),
    external_ref: z
      .string()
      .nullable()
      .describe("Of the identity, or of the detection's source image."),
    event_id: z.uuid().describe('The id of the event, as webhooks and Kafka have it.'),
    created_at: timestamp,
  })
  .meta({
    id: 'Change',
    description: 'Something that has happened to an identity or a detection.',
  });

export const Changes = z
  .object({
    changes: z.array(Change),
    next_cursor: z.int().describe('`since` of the next request.'),
    has_more: z.boolean(),
  })
  .meta({ id: 'Changes' });

export const listChangesContract = defineContract({
  method: 'GET',
  path: '/api/changes',
  right: 'read',
  tag: 'Changes',
  summary: 'List what has changed, oldest first',
  description:
    'Whoever asks again and again, each time with the `next_cursor` of the answer before, misses no change ' +
    'and gets none twice. A change is here normally within a second.',
  request: {
    query: z.object({
      since: integer(z.int().min(0))
        .default(0)
        .describe('The changes after this id; 0: from the first one on.'),
      limit: page.limit,
    }),
  },
  responses: { 200: jsonResponse('The changes.', Changes) },
  problems: [],
});
