import type { MessageWriter, QueuedMessage } from '@sightline/core/webhooks/delivery-queue';
import type { TransactionSession } from '../doors/transaction-session.ts';

export class PostgresMessageWriter implements MessageWriter {
  readonly #session: TransactionSession;

  constructor(session: TransactionSession) {
    this.#session = session;
  }

  async queue(messages: readonly QueuedMessage[]): Promise<void> {
    if (messages.length === 0) return;
    await this.#session.query(QUEUE, [
      messages.map(({ environmentId }) => environmentId),
      messages.map(({ place }) => place.xid),
      messages.map(({ place }) => place.id),
      messages.map(({ eventId }) => eventId),
      messages.map(({ event }) => event),
      messages.map(({ body }) => body),
    ]);
  }
}

/**
 * A webhook that is changed meanwhile is waited for: one that is switched off gets nothing from then on. So is
 * one that is given back meanwhile, even if it is due already: else who gives it back would miss these attempts.
 */
const QUEUE = `
  WITH message AS MATERIALIZED (
    SELECT * FROM unnest($1::bigint[], $2::xid8[], $3::bigint[], $4::uuid[], $5::text[], $6::bytea[])
      AS m (environment_id, xid, id, event_id, event, body)
  ), active AS MATERIALIZED (
    SELECT environment_id, id, events, active_from FROM webhooks
    WHERE is_active AND environment_id IN (SELECT environment_id FROM message)
    FOR SHARE
  ), wanted AS MATERIALIZED (
    SELECT m.environment_id, w.id AS webhook_id, m.xid, m.id
    FROM message m JOIN active w ON w.environment_id = m.environment_id
    WHERE (w.events = '{}' OR m.event = ANY (w.events))
      AND NOT pg_visible_in_snapshot(m.xid, w.active_from)
  ), kept AS (
    INSERT INTO webhook_messages (environment_id, xid, id, event_id, event, body)
    SELECT environment_id, xid, id, event_id, event, body FROM message m
    WHERE EXISTS (
      SELECT FROM wanted w
      WHERE w.environment_id = m.environment_id AND w.xid = m.xid AND w.id = m.id)
  ), queued AS (
    INSERT INTO webhook_attempts (environment_id, webhook_id, xid, id)
    SELECT environment_id, webhook_id, xid, id FROM wanted
  ), turn AS MATERIALIZED (
    SELECT environment_id, webhook_id FROM webhook_turns
    WHERE (environment_id, webhook_id) IN (SELECT environment_id, webhook_id FROM wanted)
    ORDER BY environment_id, webhook_id FOR NO KEY UPDATE
  )
  UPDATE webhook_turns t SET due_at = least(t.due_at, now()) FROM turn
  WHERE t.environment_id = turn.environment_id AND t.webhook_id = turn.webhook_id`;
