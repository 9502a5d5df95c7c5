import type { DomainEvent } from '@sightline/core/events/domain-event';
import type { TransactionSession } from '../doors/transaction-session.ts';
import { MAY_WRITE_HERE } from './open-transactions.ts';

/** A position in the outbox, whose rows are read in the order (xid, id). */
export interface OutboxPosition {
  /** Decimal digits. */
  readonly xid: string;
  readonly id: number;
}

export interface OutboxEvent extends OutboxPosition {
  readonly environmentId: number;
  /** UUIDv7; the same in every delivery of the event. */
  readonly eventId: string;
  readonly event: DomainEvent['event'];
  readonly data: DomainEvent['data'];
  readonly createdAt: Date;
}

export const OUTBOX_START: OutboxPosition = { xid: '0', id: 0 };

/** Writes events, in this order, in the transaction of the change that caused them. */
export async function emitEvents(
  session: TransactionSession,
  environmentId: number,
  events: readonly DomainEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await session.query(
    `INSERT INTO outbox (environment_id, event, data)
     SELECT $1, e.event, e.data
     FROM unnest($2::text[], $3::json[]) WITH ORDINALITY AS e (event, data, place)
     ORDER BY e.place`,
    [
      environmentId,
      events.map(({ event }) => event),
      events.map(({ data }) => JSON.stringify(data)),
    ],
  );
}

/** The oldest open transaction that may still write to this database; if none, the next one. */
const HORIZON = `
  SELECT coalesce(
    (SELECT xid FROM pg_snapshot_xip(pg_current_snapshot()) AS xid
     WHERE ${MAY_WRITE_HERE} ORDER BY xid LIMIT 1),
    pg_snapshot_xmax(pg_current_snapshot()))`;

/**
 * Final events after a position, of all environments: below the horizon no open transaction can add
 * one. No event appears later before a position that was read.
 */
export async function readOutboxBelowHorizon(
  session: TransactionSession,
  after: OutboxPosition,
  limit: number,
): Promise<readonly OutboxEvent[]> {
  return session.query<OutboxEvent>(
    `SELECT xid::text, id, environment_id AS "environmentId", event_id AS "eventId", event, data,
            created_at AS "createdAt"
     FROM outbox
     WHERE (xid, id) > ($1::xid8, $2::bigint)
       AND xid < (${HORIZON})
     ORDER BY outbox.xid, outbox.id LIMIT $3`,
    [after.xid, after.id, limit],
  );
}

/**
 * Moves all events to new positions, in their order. Transaction ids belong to one cluster: after a
 * logical restore into another one, the positions could be above its horizon or between its own.
 * Needs a database that no other process uses yet.
 */
export async function renumberOutbox(session: TransactionSession): Promise<void> {
  await session.query(
    `WITH moved AS (DELETE FROM outbox RETURNING *)
     INSERT INTO outbox (environment_id, event_id, event, data, created_at)
     SELECT environment_id, event_id, event, data, created_at FROM moved ORDER BY xid, id`,
  );
}
