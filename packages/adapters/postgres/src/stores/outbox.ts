import type { EventMessage } from '@sightline/contracts/events/event-message';
import type { DomainEvent } from '@sightline/core/events/domain-event';
import type { TransactionSession } from '../doors/transaction-session.ts';
import { MAY_WRITE_HERE } from './open-transactions.ts';
import { toEventMessage } from './to-event-message.ts';

/** A position in the outbox, whose rows are read in the order of (xid, id). */
export interface OutboxPosition {
  /** Decimal digits. */
  readonly xid: string;
  readonly id: number;
}

export type OutboxEvent = EventMessage &
  OutboxPosition & {
    readonly environmentId: number;
    /** UUIDv7; the same wherever the event is published. */
    readonly eventId: string;
    readonly createdAt: Date;
  };

export const OUTBOX_START: OutboxPosition = { xid: '0', id: 0 };

/** Writes events in this order, in the transaction of the change that caused them. */
export async function emitEvents(
  session: TransactionSession,
  environmentId: number,
  events: readonly DomainEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const messages = events.map((event) => toEventMessage(event));
  await session.prepared(
    'emit-events',
    `INSERT INTO outbox (environment_id, event, version, data)
     SELECT $1::bigint, e.event, e.version, e.data
     FROM unnest($2::text[], $3::smallint[], $4::json[]) WITH ORDINALITY
       AS e (event, version, data, place)
     ORDER BY e.place`,
    [
      environmentId,
      messages.map(({ event }) => event),
      messages.map(({ version }) => version),
      messages.map(({ data }) => JSON.stringify(data)),
    ],
  );
}

/** The oldest open transaction that may still write to this database; else the next to begin. */
const HORIZON = `
  SELECT coalesce(
    (SELECT xid FROM pg_snapshot_xip(pg_current_snapshot()) AS xid
     WHERE ${MAY_WRITE_HERE} ORDER BY xid LIMIT 1),
    pg_snapshot_xmax(pg_current_snapshot()))`;

/**
 * Events of all environments after a position and below the horizon, where no open transaction can
 * add one any more: no event appears later before a position that was read.
 */
export async function readOutboxBelowHorizon(
  session: TransactionSession,
  after: OutboxPosition,
  limit: number,
): Promise<readonly OutboxEvent[]> {
  return session.query<OutboxEvent>(
    `SELECT xid::text, id, environment_id AS "environmentId", event_id AS "eventId", event, version,
            data, created_at AS "createdAt"
     FROM outbox
     WHERE (xid, id) > ($1::xid8, $2::bigint)
       AND xid < (${HORIZON})
     ORDER BY outbox.xid, outbox.id LIMIT $3`,
    [after.xid, after.id, limit],
  );
}

/**
 * Gives all events new positions in their order. Transaction ids belong to one cluster: after a logical
 * restore into another one, old events could lie above its horizon, or between its new events. No
 * other process may use the database meanwhile.
 */
export async function renumberOutbox(session: TransactionSession): Promise<void> {
  await session.query(
    `WITH moved AS (DELETE FROM outbox RETURNING *)
     INSERT INTO outbox (environment_id, event_id, event, version, data, created_at)
     SELECT environment_id, event_id, event, version, data, created_at FROM moved ORDER BY xid, id`,
  );
}
