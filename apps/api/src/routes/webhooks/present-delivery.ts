import type { Delivery } from '@sightline/core/webhooks/webhook';

export function presentDelivery(delivery: Delivery) {
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
