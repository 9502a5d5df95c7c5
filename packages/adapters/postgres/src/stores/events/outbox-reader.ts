import type { OutboxPage, OutboxReader } from '@sightline/core/events/outbox-reader';
import type { EventPosition, StoredEvent } from '@sightline/core/events/stored-event';
import type { Doors } from '../../doors/doors.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import {
  DATA_BYTES,
  EVENT_COLUMNS,
  type EventRow,
  HORIZON,
  PAGE_BYTES,
  toStoredEvent,
} from './outbox-rows.ts';

type ReadRow = EventRow & {
  readonly epoch: string;
  readonly previousXid: string | null;
  readonly previousId: number | null;
  readonly hasMore: boolean;
  readonly isHeldBack: boolean;
};

/** The single row of a result without events. */
interface NoEvent {
  readonly id: null;
  readonly epoch: string;
  readonly isHeldBack: boolean;
}

export function outboxReader(doors: Doors): OutboxReader {
  return {
    async end(signal) {
      const [row] = await doors.onPlatform(
        'events',
        (session) => session.query<{ xid: string }>(`SELECT (${HORIZON})::text AS xid`),
        signal,
      );
      return { xid: row!.xid, id: 0 };
    },

    async read(after, limit, signal) {
      return doors.withPlatform('events', (session) => readBatch(session, after, limit), signal);
    },
  };
}

/**
 * Reads the events of all environments between a position and the horizon, which is the id of the oldest open
 * transaction. All transactions before it have ended, so no event can appear later before a position that was read.
 */
export async function readOutbox(
  session: TransactionSession,
  after: EventPosition,
  limit: number,
): Promise<readonly StoredEvent[]> {
  return (await readBatch(session, after, limit)).events;
}

async function readBatch(
  session: TransactionSession,
  after: EventPosition,
  limit: number,
): Promise<OutboxPage> {
  const rows = await session.prepared<ReadRow | NoEvent>('read-outbox', READ, [
    after.xid,
    after.id,
    limit,
    PAGE_BYTES,
  ]);
  const read = rows.filter((row) => row.id !== null);
  return {
    epoch: rows[0]!.epoch,
    events: read.map((row) => toStoredEvent(row, previousOf(row))),
    hasMore: read[0]?.hasMore ?? false,
    isHeldBack: rows[0]!.isHeldBack,
  };
}

function previousOf({ previousXid, previousId }: ReadRow): EventPosition | null {
  return previousXid === null ? null : { xid: previousXid, id: previousId! };
}

/**
 * Returns a page of events, each with the position of the event before it in the same environment. Only the first event
 * of each environment needs a lookup, because the page contains the other positions. The lookup compares all columns of
 * the index on the environment, so that the planner cannot read the earlier events of all environments instead.
 */
const READ = `
  WITH found AS MATERIALIZED (
    SELECT * FROM outbox
    WHERE (xid, id) > ($1::xid8, $2::bigint) AND xid < (${HORIZON})
    ORDER BY xid, id LIMIT $3
  ), measured AS (
    SELECT o.*, sum(${DATA_BYTES}) OVER read - ${DATA_BYTES} AS bytes_before
    FROM found o WINDOW read AS (ORDER BY o.xid, o.id ROWS UNBOUNDED PRECEDING)
  ), read AS (
    SELECT * FROM measured WHERE bytes_before < $4
  ), placed AS (
    SELECT r.*, lag(r.xid) OVER environment AS before_xid, lag(r.id) OVER environment AS before_id
    FROM read r WINDOW environment AS (PARTITION BY r.environment_id ORDER BY r.xid, r.id)
  )
  SELECT ${EVENT_COLUMNS}, coalesce(o.before_xid, p.xid)::text AS "previousXid",
         coalesce(o.before_id, p.id) AS "previousId", i.outbox_epoch AS epoch,
         f.rows = $3 OR f.rows > (SELECT count(*) FROM read) AS "hasMore",
         coalesce((SELECT xid FROM outbox ORDER BY xid DESC, id DESC LIMIT 1) >= (${HORIZON}), false)
           AS "isHeldBack"
  FROM installation i CROSS JOIN (SELECT count(*) AS rows FROM found) f LEFT JOIN placed o ON true
  LEFT JOIN LATERAL (
    SELECT p.xid, p.id FROM outbox p
    WHERE o.before_xid IS NULL AND (p.environment_id, p.xid, p.id) < (o.environment_id, o.xid, o.id)
      AND p.environment_id >= o.environment_id
    ORDER BY p.environment_id DESC, p.xid DESC, p.id DESC LIMIT 1
  ) p ON true
  ORDER BY o.xid, o.id`;
