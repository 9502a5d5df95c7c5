import { FIRST_PLACE } from '@sightline/core/events/stored-event';
import type { TransactionSession } from '../doors/transaction-session.ts';

/**
 * Gives all events new places in their order, and moves with them what names a place. Transaction ids belong to
 * one cluster: after a logical restore into another one, old events could lie above its horizon, or between its
 * new events. No other process may use the database meanwhile.
 */
export async function renumberOutbox(session: Pick<TransactionSession, 'query'>): Promise<void> {
  for (const statement of [
    MOVE_MESSAGES,
    QUEUE_REST,
    MOVE_EVENTS,
    END_QUEUEING,
    MOVE_WEBHOOKS,
    NEW_EPOCH,
  ]) {
    await session.query(statement);
  }
}

/** Whether something names a transaction that this cluster has not begun, as SQL. */
export const IS_AHEAD = `
  SELECT max(xid) >= pg_snapshot_xmax(pg_current_snapshot()) FROM (
    SELECT max(xid) AS xid FROM outbox
    UNION ALL SELECT max(xid) FROM consumer_places
    UNION ALL SELECT max(xid) FROM relay_positions
    UNION ALL SELECT max(xid) FROM webhook_messages
    UNION ALL SELECT max(pg_snapshot_xmax(active_from)::text::bigint - 1)::text::xid8 FROM webhooks
  ) named`;

/**
 * Messages and attempts that wait: first of all, in their order. Each came of an event of its own, so these
 * numbers lie below those that events get from now on.
 */
const MOVE_MESSAGES = `
  WITH moved AS MATERIALIZED (
    SELECT environment_id, xid, id, row_number() OVER (ORDER BY xid, id) AS nth
    FROM webhook_messages
  ), message AS (
    UPDATE webhook_messages m SET xid = pg_current_xact_id(), id = moved.nth FROM moved
    WHERE (m.environment_id, m.xid, m.id) = (moved.environment_id, moved.xid, moved.id)
  )
  UPDATE webhook_attempts a SET xid = pg_current_xact_id(), id = moved.nth FROM moved
  WHERE (a.environment_id, a.xid, a.id) = (moved.environment_id, moved.xid, moved.id)`;

/**
 * Events that have not been queued yet, while their places still tell for whom they are: the bytes are those that
 * the dispatcher makes.
 */
const QUEUE_REST = `
  WITH rest AS MATERIALIZED (
    SELECT o.* FROM outbox o
    LEFT JOIN consumer_places p
      ON p.environment_id = o.environment_id AND p.consumer = 'webhooks'
    WHERE (o.xid, o.id) > (coalesce(p.xid, '${FIRST_PLACE.xid}'), coalesce(p.id, ${FIRST_PLACE.id}))
  ), placed AS MATERIALIZED (
    SELECT *, row_number() OVER (ORDER BY xid, id)
      + (SELECT count(*) FROM webhook_messages) AS nth
    FROM rest
  ), wanted AS MATERIALIZED (
    SELECT r.environment_id, w.id AS webhook_id, r.nth
    FROM placed r JOIN webhooks w ON w.environment_id = r.environment_id
    WHERE w.is_active AND (w.events = '{}' OR r.event = ANY (w.events))
      AND NOT pg_visible_in_snapshot(r.xid, w.active_from)
  ), kept AS (
    INSERT INTO webhook_messages (environment_id, xid, id, event_id, event, body)
    SELECT environment_id, pg_current_xact_id(), nth, event_id, event, convert_to(
      format('{"event":%s,"data":%s,"id":%s,"created_at":%s}', to_json(event), data, to_json(event_id),
        to_json(to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))), 'UTF8')
    FROM placed r
    WHERE EXISTS (
      SELECT FROM wanted w WHERE w.environment_id = r.environment_id AND w.nth = r.nth)
  ), queued AS (
    INSERT INTO webhook_attempts (environment_id, webhook_id, xid, id)
    SELECT environment_id, webhook_id, pg_current_xact_id(), nth FROM wanted
  )
  UPDATE webhook_turns t SET due_at = least(t.due_at, now())
  WHERE (t.environment_id, t.webhook_id) IN (SELECT environment_id, webhook_id FROM wanted)`;

/** The place of a consumer, and that of the relay, becomes that of the last event at or before it. */
const MOVE_EVENTS = `
  WITH old AS MATERIALIZED (
    SELECT environment_id, xid, id, event_id FROM outbox
  ), place AS MATERIALIZED (
    SELECT p.environment_id, p.consumer, last.event_id FROM consumer_places p
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
  ), places AS (
    UPDATE consumer_places p
    SET xid = coalesce(n.xid, '${FIRST_PLACE.xid}'), id = coalesce(n.id, ${FIRST_PLACE.id})
    FROM place LEFT JOIN renumbered n USING (event_id)
    WHERE p.environment_id = place.environment_id AND p.consumer = place.consumer
  )
  UPDATE relay_positions r
  SET xid = coalesce(n.xid, '${FIRST_PLACE.xid}'), id = coalesce(n.id, ${FIRST_PLACE.id})
  FROM relay LEFT JOIN renumbered n USING (event_id)
  WHERE r.topic = relay.topic`;

/** All events are queued: the webhooks' place in each environment is its last one. */
const END_QUEUEING = `
  INSERT INTO consumer_places AS p (environment_id, consumer, xid, id)
  SELECT DISTINCT ON (environment_id) environment_id, 'webhooks', xid, id FROM outbox
  ORDER BY environment_id, xid DESC, id DESC
  ON CONFLICT (environment_id, consumer) DO UPDATE SET xid = excluded.xid, id = excluded.id`;

/** What is in the outbox by now is behind the place of the webhooks. */
const MOVE_WEBHOOKS = 'UPDATE webhooks SET active_from = pg_current_snapshot()';

const NEW_EPOCH = 'UPDATE installation SET outbox_epoch = gen_random_uuid()';
