import { pingWebhookContract } from '@sightline/contracts/webhooks/ping-webhook-contract';
import { pingWebhook } from '@sightline/core/administration/ping-webhook';
import type { SendResult } from '@sightline/core/webhooks/send-message';
import { defineRoute } from '../../http/define-route.ts';

export const pingWebhookRoute = defineRoute(pingWebhookContract, {
  async handler(context, request) {
    const { path, scope, signal } = request;
    const result = await pingWebhook(
      context,
      { scope, id: path.id },
      { signal, settle: request.settle(present) },
    );
    return present(result);
  },
});

function present({ ok, statusCode, durationMs, error }: SendResult) {
  const body = { ok, status_code: statusCode, duration_ms: durationMs, error };
  return { status: 200, body } as const;
}
