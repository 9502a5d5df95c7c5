import { z } from 'zod';
import { defineContract, jsonResponse } from '../define-contract.ts';
import { idPath } from '../record-id.ts';

export const PingedWebhook = z
  .object({
    ok: z.boolean().describe('Whether the endpoint answered with a status of success.'),
    status_code: z.int().nullable().describe('Null if the endpoint did not answer.'),
    duration_ms: z.int(),
    error: z.string().nullable(),
  })
  .meta({ id: 'PingedWebhook' });

export const pingWebhookContract = defineContract({
  method: 'POST',
  path: '/api/webhooks/{id}/test',
  right: 'full',
  idempotent: true,
  tag: 'Webhooks',
  summary: 'Send a test message to a webhook',
  description:
    'Posts `{"event": "ping", "data": {"webhook_id"}}` once, also to a webhook that is switched off.',
  request: { path: idPath },
  responses: { 200: jsonResponse('How that went.', PingedWebhook) },
  problems: ['not_found', 'overloaded'],
});
