import { FIRST_POSITION } from '@sightline/core/events/stored-event';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { IS_SUBSCRIBED } from '../webhooks/due-messages.ts';

/**
 * Gives all events new positions in the same order, and updates every reference to a position. Positions contain
 * transaction ids, which belong to one cluster. After a logical restore into another cluster, old events could have
 * transaction ids that this cluster has not assigned yet, or lie between new events. No other process may use the
 * database during the renumbering.
 */
export async function renumberOutbox(session: Pick<TransactionSession, 'query'>): Promise<void> {
  for (const statement of [
    MOVE_ATTEMPTS,
    QUEUE_REST,
    MOVE_EVENTS,
    FORGET_FLOORS,
    MOVE_WEBHOOKS,
    MOVE_TURNS,
    NEW_EPOCH,
  ]) {
    await session.query(statement);
  }
}

/** SQL that tells whether a stored position has a transaction id that this cluster has not assigned yet. */
export const IS_AHEAD = `
  SELECT max(xid) >= pg_snapshot_xmax(pg_current_snapshot()) FROM (
    SELECT max(xid) AS xid FROM outbox
    UNION ALL SELECT max(xid) FROM consumer_positions
    UNION ALL SELECT max(xid) FROM consumer_floors
    UNION ALL SELECT max(xid) FROM relay_positions
    UNION ALL SELECT max(xid) FROM webhook_attempts
    UNION ALL SELECT max(xid) FROM webhook_turns
    UNION ALL SELECT max(pg_snapshot_xmax(active_from)::text::bigint - 1)::text::xid8 FROM webhooks
  ) named`;

/**
 * Renumbers the queued attempts first, in their order, so that their new numbers are below those of events that are
 * queued later.
 */
const MOVE_ATTEMPTS = `
  WITH moved AS MATERIALIZED (
    SELECT xid, id, row_number() OVER (ORDER BY xid, id) AS nth
    FROM (SELECT DISTINCT xid, id FROM webhook_attempts) queued
  )
  UPDATE webhook_attempts a SET xid = pg_current_xact_id(), id = moved.nth FROM moved
  WHERE (a.xid, a.id) = (moved.xid, moved.id)`;

/**
 * Queues the events that were not sent yet as rows of attempts, while their positions still tell which webhooks
 * receive them. The bodies have the same bytes as those that the dispatcher writes.
 */
const QUEUE_REST = `
  WITH rest AS MATERIALIZED (
    SELECT o.*, row_number() OVER (ORDER BY xid, id)
      + (SELECT count(*) FROM (SELECT DISTINCT id FROM webhook_attempts) queued) AS nth
    FROM outbox o
  ), queued AS (
    INSERT INTO webhook_attempts
      (environment_id, webhook_id, xid, id, event_id, event, body, attempt, due_at)
    SELECT o.environment_id, w.id, pg_current_xact_id(), o.nth, o.event_id, o.event, convert_to(
      format('{"event":%s,"data":%s,"id":%s,"created_at":%s}', to_json(o.event), o.data,
        to_json(o.event_id),
        to_json(to_char(o.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), 'UTF8'),
      1, now()
    FROM rest o
    JOIN webhook_turns t ON t.environment_id = o.environment_id
    JOIN webhooks w ON w.environment_id = t.environment_id AND w.id = t.webhook_id
    WHERE w.is_active AND (t.xid, t.id) < (o.xid, o.id) AND ${IS_SUBSCRIBED}
    RETURNING environment_id, webhook_id
  )
  UPDATE webhook_turns t SET due_at = least(t.due_at, now())
  WHERE (t.environment_id, t.webhook_id) IN (SELECT environment_id, webhook_id FROM queued)`;

/** Moves the positions of consumers and of the relay to the last event at or before their old position. */
const MOVE_EVENTS = `
  WITH old AS MATERIALIZED (
    SELECT environment_id, xid, id, event_id FROM outbox
  ), consumer AS MATERIALIZED (
    SELECT p.environment_id, p.consumer, last.event_id FROM consumer_positions p
    LEFT JOIN LATERAL (
      SELECT event_id FROM old
      WHERE old.environment_id = p.environment_id AND (old.xid, old.id) <= (p.xid, p.id)
      ORDER BY old.xid DESC, old.id DESC LIMIT 1
    ) last ON true
  ), relay AS MATERIALIZED (
    SELECT r.topic, last.event_id FROM relay_positions r
    LEFT JOIN LATERAL (
      SELECT event_id FROM old WHERE (old.xid, old.id) <= (r.xid, r.id)
      ORDER BY old.xid DESC, old.id DESC LIMIT 1
    ) last ON true
  ), moved AS (
    DELETE FROM outbox RETURNING *
  ), renumbered AS (
    INSERT INTO outbox (environment_id, event_id, event, version, data, created_at)
    SELECT environment_id, event_id, event, version, data, created_at FROM moved ORDER BY xid, id
    RETURNING event_id, xid, id
  ), consumers AS (
    UPDATE consumer_positions p
    SET xid = coalesce(n.xid, '${FIRST_POSITION.xid}'), id = coalesce(n.id, ${FIRST_POSITION.id})
    FROM consumer LEFT JOIN renumbered n USING (event_id)
    WHERE p.environment_id = consumer.environment_id AND p.consumer = consumer.consumer
  )
  UPDATE relay_positions r
  SET xid = coalesce(n.xid, '${FIRST_POSITION.xid}'), id = coalesce(n.id, ${FIRST_POSITION.id})
  FROM relay LEFT JOIN renumbered n USING (event_id)
  WHERE r.topic = relay.topic`;

/** Makes each consumer find its floor again, from the first event on. */
const FORGET_FLOORS = 'DELETE FROM consumer_floors';

/**
 * Makes all webhooks start after the events that are now in the outbox, because the unsent ones were queued as
 * attempts.
 */
const MOVE_WEBHOOKS = 'UPDATE webhooks SET active_from = pg_current_snapshot()';

const MOVE_TURNS = `
  UPDATE webhook_turns
  SET xid = pg_current_xact_id(), id = (SELECT coalesce(max(id), ${FIRST_POSITION.id}) FROM outbox)`;

const NEW_EPOCH = 'UPDATE installation SET outbox_epoch = gen_random_uuid()';
