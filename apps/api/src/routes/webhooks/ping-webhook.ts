import { pingWebhookContract } from '@sightline/contracts/webhooks/ping-webhook-contract';
import { pingWebhook } from '@sightline/core/administration/ping-webhook';
import { defineRoute } from '../../http/define-route.ts';

export const pingWebhookRoute = defineRoute(pingWebhookContract, {
  async handler(context, { path, scope, signal }) {
    const { ok, statusCode, durationMs, error } = await pingWebhook(
      context,
      { scope, id: path.id },
      { signal },
    );
    return {
      status: 200,
      body: { ok, status_code: statusCode, duration_ms: durationMs, error },
    };
  },
});
