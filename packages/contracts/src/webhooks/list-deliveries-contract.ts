import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';
import { timestamp } from '../timestamp.ts';

export const Delivery = z
  .object({
    id: z.int(),
    event_id: z.uuid().describe('Id of the message, the same in every attempt.'),
    event: z.string().describe('The name of the event, or `ping`.'),
    attempt: z.int().min(1),
    status_code: z
      .int()
      .nullable()
      .describe('HTTP status of the response; null if the endpoint did not respond.'),
    ok: z.boolean(),
    duration_ms: z.int(),
    error: z.string().nullable(),
    created_at: timestamp.describe('The time at which the attempt began.'),
    next_attempt_at: timestamp
      .nullable()
      .describe('Time of the next attempt; null if no attempt follows.'),
  })
  .meta({ id: 'Delivery', description: 'An attempt to reach a webhook.' });

export const Deliveries = z.object({ items: z.array(Delivery) }).meta({ id: 'Deliveries' });

export const listDeliveriesContract = defineContract({
  method: 'GET',
  path: '/api/webhooks/{id}/deliveries',
  right: 'owner',
  tag: 'Webhooks',
  summary: 'List the last 50 attempts to reach a webhook, newest first',
  request: { path: idPath },
  responses: { 200: jsonResponse('The attempts.', Deliveries) },
  problems: ['not_found'],
});
