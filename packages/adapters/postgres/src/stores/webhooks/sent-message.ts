import { FIRST_POSITION } from '@sightline/core/events/stored-event';
import { messageBody, pingBody } from '@sightline/core/webhooks/message-body';
import type { Delivery } from '@sightline/core/webhooks/webhook';
import type { DeliveredMessage } from '@sightline/core/webhooks/webhook-store';

/** The columns of an attempt `d`. */
export const DELIVERY_COLUMNS = `
  d.id, d.event_id AS "eventId", d.event, d.attempt, d.status_code AS "statusCode", d.ok,
  d.duration_ms AS "durationMs", d.error, d.created_at AS "createdAt",
  d.next_attempt_at AS "nextAttemptAt"`;

export interface MessageRow extends Delivery {
  readonly xid: string | null;
  readonly positionId: number | null;
  /** The data of the event and the time of its change; null if the outbox no longer has the event. */
  readonly data: string | null;
  readonly eventAt: Date | null;
  /** The message of an attempt that is still to come; null if none is. */
  readonly queued: Uint8Array | null;
  /** When a test message was sent first, if that attempt is still recorded. */
  readonly pingedAt: Date | null;
}

/** Reads an attempt with what its message is made from, each by its key. */
export const READ_MESSAGE = `
  SELECT ${DELIVERY_COLUMNS}, d.outbox_xid::text AS xid, d.outbox_id AS "positionId",
    e.data, e.created_at AS "eventAt", a.body AS queued, p.created_at AS "pingedAt"
  FROM webhook_deliveries d
  LEFT JOIN LATERAL event_at(d.outbox_xid, d.outbox_id) e ON e.event_id = d.event_id
  LEFT JOIN webhook_attempts a ON a.environment_id = d.environment_id AND a.webhook_id = d.webhook_id
    AND a.xid = d.outbox_xid AND a.id = d.outbox_id AND a.event_id = d.event_id
  LEFT JOIN webhook_deliveries p ON p.environment_id = d.environment_id AND p.webhook_id = d.webhook_id
    AND p.id = d.outbox_id AND p.event_id = d.event_id
  WHERE d.environment_id = $1 AND d.webhook_id = $2 AND d.id = $3`;

export function toMessage(webhookId: number, row: MessageRow): DeliveredMessage {
  // Test messages have no event. Their positions are before those of all events.
  const position = { xid: row.xid ?? FIRST_POSITION.xid, id: row.positionId ?? row.id };
  return { delivery: row, position, body: bodyOf(webhookId, row) };
}

function bodyOf(webhookId: number, row: MessageRow): Uint8Array | null {
  const { event, eventId, data, eventAt, queued, pingedAt, createdAt } = row;
  if (event === 'ping') return pingBody(webhookId, { eventId, createdAt: pingedAt ?? createdAt });
  if (data === null || eventAt === null) return queued;
  return messageBody({ event, eventId, data, createdAt: eventAt });
}
