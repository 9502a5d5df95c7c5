import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';

export const PingedWebhook = z
  .object({
    ok: z.boolean().describe('Whether the endpoint responded with a 2xx status.'),
    status_code: z
      .int()
      .nullable()
      .describe('HTTP status of the response; null if the endpoint did not respond.'),
    duration_ms: z.int(),
    error: z.string().nullable(),
  })
  .meta({ id: 'PingedWebhook' });

export const pingWebhookContract = defineContract({
  method: 'POST',
  path: '/api/webhooks/{id}/test',
  right: 'owner',
  idempotent: true,
  tag: 'Webhooks',
  summary: 'Send a test message to a webhook',
  description:
    'Posts `{"event": "ping", "data": {"webhook_id"}}` once, also to a webhook that is switched off.',
  request: { path: idPath },
  responses: { 200: jsonResponse('The result of the attempt.', PingedWebhook) },
  problems: ['not_found', 'no_secret_key', 'overloaded'],
});
