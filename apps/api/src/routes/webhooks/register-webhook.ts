import { registerWebhookContract } from '@sightline/contracts/webhooks/register-webhook-contract';
import { registerWebhook } from '@sightline/core/administration/register-webhook';
import type { Webhook } from '@sightline/core/webhooks/webhook';
import { defineRoute } from '../../http/define-route.ts';
import { presentWebhook } from './present-webhook.ts';

export const registerWebhookRoute = defineRoute(registerWebhookContract, {
  async handler(context, request) {
    const { body, scope, signal } = request;
    const { url, events, label = null, secret = null } = body.fields;
    const webhook = await registerWebhook(
      context,
      { scope, url, events, label, secret },
      { signal, settle: request.settle(present) },
    );
    return present(webhook);
  },
});

function present(webhook: Webhook) {
  return { status: 201, body: presentWebhook(webhook) } as const;
}
