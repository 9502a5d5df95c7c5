import { pingWebhookContract } from '@sightline/contracts/webhooks/ping-webhook-contract';
import { tenantOf } from '@sightline/core/analysis/tenant';
import { pingWebhook } from '@sightline/core/administration/ping-webhook';
import type { SendResult } from '@sightline/core/webhooks/send-message';
import { HttpError } from '@sightline/platform/http/http-errors';
import { defineRoute } from '../../http/define-route.ts';

export const pingWebhookRoute = defineRoute(pingWebhookContract, {
  async handler(context, request) {
    const { path, caller, scope, signal } = request;
    const { pings } = context;
    const tenant = tenantOf(caller);
    if (pings.take(tenant, 1) !== 'admitted') throw tooManyPings();
    try {
      const result = await pingWebhook(
        context,
        { scope, id: path.id },
        { signal, settle: request.settle(present) },
      );
      return present(result);
    } finally {
      pings.giveBack(tenant, 1);
    }
  },
});

function tooManyPings(): HttpError {
  const detail = 'Too many test messages wait for their endpoints; try again later.';
  return new HttpError('overloaded', detail, { headers: { 'Retry-After': '1' } });
}

function present({ ok, statusCode, durationMs, error }: SendResult) {
  const body = { ok, status_code: statusCode, duration_ms: durationMs, error };
  return { status: 200, body } as const;
}
