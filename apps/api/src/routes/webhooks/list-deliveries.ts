import { listDeliveriesContract } from '@sightline/contracts/webhooks/list-deliveries-contract';
import { NotFound } from '@sightline/core/store/not-found';
import { type Delivery, SHOWN_DELIVERIES } from '@sightline/core/webhooks/webhook';
import { defineRoute } from '../../http/define-route.ts';

export const listDeliveriesRoute = defineRoute(listDeliveriesContract, {
  async handler({ database }, { path: { id }, scope, signal }) {
    const deliveries = await database.withScope(
      scope,
      async ({ webhooks }) => {
        if ((await webhooks.byId(id)) === null) throw new NotFound('webhook', id);
        return webhooks.deliveries(id, SHOWN_DELIVERIES);
      },
      signal,
    );
    return { status: 200, body: { items: deliveries.map(presentDelivery) } };
  },
});

function presentDelivery(delivery: Delivery) {
  return {
    id: delivery.id,
    event_id: delivery.eventId,
    event: delivery.event,
    attempt: delivery.attempt,
    status_code: delivery.statusCode,
    ok: delivery.ok,
    duration_ms: delivery.durationMs,
    error: delivery.error,
    created_at: delivery.createdAt.toISOString(),
    next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
  };
}
