import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { idPath } from '../record-id.ts';
import { Webhook, webhookFields } from './webhook.ts';

const { url, events, label, secret } = webhookFields;

export const changeWebhookContract = defineContract({
  method: 'PUT',
  path: '/api/webhooks/{id}',
  right: 'owner',
  tag: 'Webhooks',
  summary: 'Change a webhook, or switch it off or on',
  description:
    'Absent members keep their values. Switching a webhook off discards its pending messages. A webhook that is switched on again gets only the events that are committed from then on. For 24 hours after one secret has replaced another, messages are signed with both. The same secret again changes nothing, and null ends both at once.',
  request: {
    path: idPath,
    body: jsonBody(
      z.object({
        url: url.nullish(),
        events: events.nullish(),
        label: label.optional(),
        secret: secret.optional(),
        is_active: z.boolean().nullish(),
      }),
    ),
  },
  responses: { 200: jsonResponse('The webhook.', Webhook) },
  problems: [...JSON_PROBLEMS, 'not_found', 'target_refused', 'no_secret_key'],
});
