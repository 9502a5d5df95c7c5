import type { EventPosition, StoredEvent } from '@sightline/core/events/stored-event';
import { MAY_WRITE_HERE } from './open-transactions.ts';

/** The columns of `outbox o` for a {@link StoredEvent}, without the position of the previous event. */
export const EVENT_COLUMNS = `
  o.environment_id AS "environmentId", o.xid::text AS xid, o.id, o.event_id AS "eventId", o.event,
  o.version, o.data::text AS data, o.created_at AS "createdAt"`;

export type EventRow = Omit<StoredEvent, 'position' | 'previous'> & EventPosition;

/**
 * The id of the oldest open transaction that may still write to this database, or the next id if no transaction is
 * open.
 */
export const HORIZON = `
  SELECT coalesce(
    (SELECT xid FROM pg_snapshot_xip(pg_current_snapshot()) AS xid
     WHERE ${MAY_WRITE_HERE} ORDER BY xid LIMIT 1),
    pg_snapshot_xmax(pg_current_snapshot()))`;

/**
 * SQL for the events `o` of an environment after a position, in their order. The rows are compared by all columns of the
 * index on the environment. With a condition on the environment alone, the planner could read the later events of all
 * environments in their order instead.
 */
export function eventsAfter(environmentId: string, xid: string, id: string): string {
  return `(o.environment_id, o.xid, o.id) > (${environmentId}, ${xid}, ${id})
    AND o.environment_id <= ${environmentId}`;
}

/** The order of {@link eventsAfter}. */
export const BY_ENVIRONMENT = 'o.environment_id, o.xid, o.id';

/**
 * The maximum size of a page of events, in bytes of their data. The limit is needed because a consumer handles a page
 * in memory and in one transaction, and one event may list a thousand detections.
 */
export const PAGE_BYTES = 262_144;

export const DATA_BYTES = 'octet_length(o.data::text)';

export function toStoredEvent(
  { xid, id, environmentId, eventId, event, version, data, createdAt }: EventRow,
  previous: EventPosition | null,
): StoredEvent {
  const position = { xid, id };
  return { environmentId, eventId, event, version, data, createdAt, position, previous };
}
