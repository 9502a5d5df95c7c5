import type { EventPlace, StoredEvent } from '@sightline/core/events/stored-event';
import { MAY_WRITE_HERE } from './open-transactions.ts';

/** The columns of `outbox o` for a {@link StoredEvent}, except the position before it. */
export const EVENT_COLUMNS = `
  o.environment_id AS "environmentId", o.xid::text AS xid, o.id, o.event_id AS "eventId", o.event,
  o.version, o.data::text AS data, o.created_at AS "createdAt"`;

export type EventRow = Omit<StoredEvent, 'place' | 'previous'> & EventPlace;

/** The id of the oldest open transaction that may still write to this database; if there is none, the next id. */
export const HORIZON = `
  SELECT coalesce(
    (SELECT xid FROM pg_snapshot_xip(pg_current_snapshot()) AS xid
     WHERE ${MAY_WRITE_HERE} ORDER BY xid LIMIT 1),
    pg_snapshot_xmax(pg_current_snapshot()))`;

/**
 * The size limit of a page of events, in bytes of their data. One event may describe a thousand detections, and
 * the consumer handles a page in memory and in one transaction.
 */
export const PAGE_BYTES = 262_144;

/** The number of bytes in the data of an event `o`. */
export const DATA_BYTES = 'octet_length(o.data::text)';

export function toStoredEvent(
  { xid, id, environmentId, eventId, event, version, data, createdAt }: EventRow,
  previous: EventPlace | null,
): StoredEvent {
  const place = { xid, id };
  return { environmentId, eventId, event, version, data, createdAt, place, previous };
}
