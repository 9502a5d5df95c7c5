import { BY_ENVIRONMENT, EVENT_COLUMNS, eventsAfter, HORIZON } from '../events/outbox-rows.ts';

/** Whether a webhook `w` receives an event `o`. */
export const IS_SUBSCRIBED = `
  (w.events = '{}' OR o.event = ANY (w.events)) AND NOT pg_visible_in_snapshot(o.xid, w.active_from)`;

/** The approximate size of a message body without the event's data, in bytes. */
const ENVELOPE = 130;

/**
 * Selects the events for a webhook ($1, $2) after a position ($3, $4), limited by the number of events read ($5) and by
 * bytes ($6). The last row is returned even if it is not for the webhook, because it shows how far the page reaches.
 */
export const READ_EVENTS = `
  WITH examined AS MATERIALIZED (
    SELECT o.*, row_number() OVER read AS nth, ${IS_SUBSCRIBED} AS is_subscribed,
      sum(octet_length(o.data::text) + ${ENVELOPE}) FILTER (WHERE ${IS_SUBSCRIBED}) OVER read AS bytes
    FROM webhooks w CROSS JOIN LATERAL (
      SELECT * FROM outbox o
      WHERE ${eventsAfter('w.environment_id', '$3::xid8', '$4::bigint')} AND o.xid < (${HORIZON})
      ORDER BY ${BY_ENVIRONMENT} LIMIT $5
    ) o
    WHERE w.environment_id = $1 AND w.id = $2 AND w.is_active
    WINDOW read AS (ORDER BY o.xid, o.id ROWS UNBOUNDED PRECEDING)
  ), page AS (
    SELECT *, lead(nth) OVER (ORDER BY nth) IS NULL AS is_last FROM examined
    WHERE nth = 1 OR coalesce(bytes, 0) <= $6
  )
  SELECT ${EVENT_COLUMNS}, o.is_subscribed AS "isSubscribed",
    o.nth = $5 OR o.nth < (SELECT max(nth) FROM examined) AS "hasMore"
  FROM page o
  WHERE o.is_subscribed OR o.is_last ORDER BY o.nth`;

/** Selects queued attempts in the given order, limited by number and by bytes. */
export function readAttempts(condition: string, order: string): string {
  return `
  SELECT xid::text, id, attempt, event_id AS "eventId", event, body FROM (
    SELECT a.*, row_number() OVER read AS nth, sum(octet_length(a.body)) OVER read AS bytes
    FROM (
      SELECT * FROM webhook_attempts a
      WHERE a.environment_id = $1 AND a.webhook_id = $2 AND ${condition}
      ORDER BY ${order} LIMIT $3
    ) a
    WINDOW read AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)
  ) page
  WHERE nth = 1 OR bytes <= $4 ORDER BY nth`;
}
