import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { Webhook, webhookFields } from './webhook.ts';

const { url, events, label, secret } = webhookFields;

export const registerWebhookContract = defineContract({
  method: 'POST',
  path: '/api/webhooks',
  right: 'owner',
  idempotent: true,
  tag: 'Webhooks',
  summary: 'Register a webhook',
  description:
    'The webhook gets the events that are committed after the registration. An address that the service does not call is refused at once; a name that leads to one fails at delivery.',
  request: {
    body: jsonBody(
      z.object({
        url,
        events: events.nullish().transform((names) => names ?? []),
        label: label.optional(),
        secret: secret.optional(),
      }),
    ),
  },
  responses: { 201: jsonResponse('The new webhook.', Webhook) },
  problems: [...JSON_PROBLEMS, 'target_refused', 'limit_reached', 'no_secret_key'],
});
