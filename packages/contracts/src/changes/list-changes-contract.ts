import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { integer } from '../numeric.ts';
import { page } from '../pagination.ts';
import { timestamp } from '../timestamp.ts';

/** The longest time for which an answer waits for a change. */
export const MAX_WAIT_SECONDS = 30;

export const Change = z
  .object({
    id: z.int().describe('Position of the change; consecutive within the environment.'),
    entity_type: z.enum(['detection', 'identity']),
    entity_id: z.int(),
    action: z
      .enum(['created', 'relabeled', 'updated', 'merged', 'deleted'])
      .describe(
        '`relabeled`: a detection was assigned to another identity or to none, or an identity was renamed. ' +
          '`updated`: the cover, references or detections of an identity changed. `merged`: the identity was merged into another one and deleted.',
      ),
    external_ref: z
      .string()
      .nullable()
      .describe("The external_ref of the identity, or of the detection's source image."),
    event_id: z.uuid().describe('The id of the event, the same in webhooks and Kafka.'),
    created_at: timestamp,
    operation_id: z
      .int()
      .optional()
      .describe('The operation of the undo that made the change; absent for other changes.'),
  })
  .meta({
    id: 'Change',
    description: 'A change of an identity or a detection.',
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
  summary: 'List changes, oldest first',
  description:
    'A client that polls with the `next_cursor` of the previous answer gets every change exactly once. A change normally appears within a second. With `wait`, the service answers as soon as there is a change, or without changes after that time. At most 5 requests of a key or account, and 20 of an environment, wait at the same time; further ones are answered immediately.',
  request: {
    query: z.object({
      since: z
        .union([z.literal('latest'), integer(z.int().min(0))])
        .default(0)
        .describe(
          'Changes after this id; 0 starts with the first change. `latest`: no changes, and the id of the last one as `next_cursor`.',
        ),
      wait: integer(z.int().min(0))
        .transform((seconds) => Math.min(seconds, MAX_WAIT_SECONDS))
        .default(0)
        .describe(
          `Seconds to wait for a change if there is none yet, up to ${MAX_WAIT_SECONDS}; more are ${MAX_WAIT_SECONDS}. Default: 0.`,
        ),
      limit: page.limit,
    }),
  },
  responses: { 200: jsonResponse('The changes.', Changes) },
  problems: [],
});
