import type { DomainEvent } from '@sightline/core/events/domain-event';
import type { TransactionSession } from '../doors/transaction-session.ts';
import { toEventMessage } from './to-event-message.ts';

/** Writes events in this order, in the transaction of the change that caused them. */
export async function emitEvents(
  session: TransactionSession,
  environmentId: number,
  events: readonly DomainEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const refs = await externalRefs(session, environmentId, events);
  const messages = events.map((event) => toEventMessage(event, refs));
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

/** The `external_ref` of each identity that the events are about. */
async function externalRefs(
  session: TransactionSession,
  environmentId: number,
  events: readonly DomainEvent[],
): Promise<ReadonlyMap<number, string | null>> {
  const ids = events.flatMap(({ event, facts }) => {
    const isTold = event === 'identity_created' || event.startsWith('detection');
    return 'identityId' in facts && !isTold ? [facts.identityId] : [];
  });
  if (ids.length === 0) return new Map();
  const rows = await session.prepared<{ id: number; ref: string | null }>(
    'refs-of-identities',
    `SELECT id, external_ref AS ref FROM identities
     WHERE environment_id = $1 AND id = ANY ($2::bigint[]) AND external_ref IS NOT NULL`,
    [environmentId, [...new Set(ids)]],
  );
  return new Map(rows.map(({ id, ref }) => [id, ref]));
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
