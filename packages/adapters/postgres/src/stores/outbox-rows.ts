import type { EventPlace, StoredEvent } from '@sightline/core/events/stored-event';
import { MAY_WRITE_HERE } from './open-transactions.ts';

/** Columns of `outbox o` that make a {@link StoredEvent}, but for the place before it. */
export const EVENT_COLUMNS = `
  o.environment_id AS "environmentId", o.xid::text AS xid, o.id, o.event_id AS "eventId", o.event,
  o.version, o.data::text AS data, o.created_at AS "createdAt"`;

export type EventRow = Omit<StoredEvent, 'place' | 'previous'> & EventPlace;

/** The oldest open transaction that may still write to this database; else the next to begin. */
export const HORIZON = `
  SELECT coalesce(
    (SELECT xid FROM pg_snapshot_xip(pg_current_snapshot()) AS xid
     WHERE ${MAY_WRITE_HERE} ORDER BY xid LIMIT 1),
    pg_snapshot_xmax(pg_current_snapshot()))`;

export function toStoredEvent(
  { xid, id, ...event }: EventRow,
  previous: EventPlace | null,
): StoredEvent {
  return { ...event, place: { xid, id }, previous };
}
