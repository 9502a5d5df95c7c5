import type {
  ConsumeEvents,
  ConsumerStore,
  ConsumerTransaction,
  Followed,
} from '@sightline/core/database/consumer-store';
import {
  type ConsumerName,
  CONSUMERS,
  type EventBatch,
  type EventHint,
} from '@sightline/core/events/event-stream';
import {
  comparePositions,
  type EventPosition,
  FIRST_POSITION,
  type StoredEvent,
} from '@sightline/core/events/stored-event';
import type { Doors } from '../../doors/doors.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { feedWriter } from '../feed/feed.ts';
import {
  BY_ENVIRONMENT,
  DATA_BYTES,
  EVENT_COLUMNS,
  type EventRow,
  eventsAfter,
  HORIZON,
  PAGE_BYTES,
  toStoredEvent,
} from '../events/outbox-rows.ts';
import { rowsOf } from './rows-of.ts';
import { turnWriter } from '../webhooks/turns.ts';

/** The maximum number of events of one environment that a transaction reads from the outbox. */
const PAGE = 500;
/** The maximum number of events that one search for overdue events reads. */
const SWEPT = 100_000;

interface Consumption {
  readonly consumer: ConsumerName;
  readonly consume: ConsumeEvents;
}

/** The events of one environment that a transaction consumes. `hasMore` says whether more events are pending. */
interface Portion {
  readonly environmentId: number;
  readonly events: readonly StoredEvent[];
  readonly hasMore: boolean;
}

export class PostgresConsumerStore implements ConsumerStore {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async take(
    consumption: Consumption,
    { epoch, events }: EventBatch,
    signal?: AbortSignal,
  ): Promise<readonly number[]> {
    const received = Map.groupBy(events, ({ environmentId }) => environmentId);
    return this.#consume(
      { ...consumption, signal },
      [...received.keys()],
      async (session, positions) => {
        const isOurs = positions.epoch === epoch;
        const portions: Portion[] = [];
        const missed: number[] = [];
        for (const [environmentId, position] of positions.known) {
          const following = isOurs ? followingOn(position, received.get(environmentId)!) : null;
          if (following === null) missed.push(environmentId);
          else portions.push({ environmentId, events: following, hasMore: false });
        }
        return [...portions, ...(await this.#readAfter(session, positions, missed))];
      },
    );
  }

  async follow(
    consumption: Consumption,
    hints: readonly EventHint[],
    signal?: AbortSignal,
  ): Promise<Followed> {
    let sorted = sortHints([], { epoch: null, known: new Map() });
    const more = await this.#consume(
      { ...consumption, signal },
      hints.map(({ environmentId }) => environmentId),
      (session, positions) => {
        sorted = sortHints(hints, positions);
        return this.#readAfter(session, positions, sorted.ahead);
      },
    );
    return { more, repeated: sorted.repeated, gaps: sorted.gaps };
  }

  async catchUp(
    consumption: Consumption,
    environmentIds: readonly number[],
    signal?: AbortSignal,
  ): Promise<readonly number[]> {
    return this.#consume({ ...consumption, signal }, environmentIds, (session, positions) =>
      this.#readAfter(session, positions, environmentIds),
    );
  }

  async behind(
    consumer: ConsumerName,
    olderThanMs: number,
    signal?: AbortSignal,
  ): Promise<readonly number[]> {
    const rows = await this.#doors.withPlatform(
      'events',
      (session) => session.query<{ id: number }>(BEHIND, [consumer, olderThanMs, SWEPT]),
      signal,
    );
    return rows.map(({ id }) => id);
  }

  async lags(signal?: AbortSignal): Promise<Readonly<Record<ConsumerName, number>>> {
    const rows = await this.#doors.withPlatform(
      'events',
      (session) => session.query<{ consumer: ConsumerName; seconds: number }>(LAGS, [CONSUMERS]),
      signal,
    );
    const seconds = new Map(rows.map((row) => [row.consumer, row.seconds]));
    const lagOf = (consumer: ConsumerName) => [consumer, seconds.get(consumer) ?? 0] as const;
    return Object.fromEntries(CONSUMERS.map(lagOf)) as Record<ConsumerName, number>;
  }

  async #consume(
    { consumer, consume, signal }: Consumption & { readonly signal: AbortSignal | undefined },
    environmentIds: readonly number[],
    choose: (session: TransactionSession, positions: Positions) => Promise<readonly Portion[]>,
  ): Promise<readonly number[]> {
    if (environmentIds.length === 0) return [];
    return this.#doors.withPlatform(
      'events',
      async (session) => {
        const positions = await lockPositions(session, consumer, environmentIds);
        const portions = await choose(session, positions);
        const events = portions.flatMap((portion) => portion.events);
        if (events.length > 0) {
          await consume(transactionOf(session), events);
          await movePositions(session, consumer, events);
        }
        return portions.flatMap(({ environmentId, hasMore }) => (hasMore ? [environmentId] : []));
      },
      signal,
    );
  }

  async #readAfter(
    session: TransactionSession,
    positions: Positions,
    environmentIds: readonly number[],
  ): Promise<readonly Portion[]> {
    const known = environmentIds.filter((id) => positions.known.has(id));
    if (known.length === 0) return [];
    const rows = await session.query<ReadRow>(READ_AFTER, [
      known,
      known.map((id) => positions.known.get(id)!.xid),
      known.map((id) => positions.known.get(id)!.id),
      PAGE,
      PAGE_BYTES,
    ]);
    const read = Map.groupBy(rows, ({ environmentId }) => environmentId);
    return [...read].map(([environmentId, group]) => ({
      environmentId,
      events: group.map((row) => toStoredEvent(row, null)),
      hasMore: group[0]!.hasMore,
    }));
  }
}

interface Positions {
  /** The epoch of the outbox; hints from another epoch have incomparable positions. */
  readonly epoch: string | null;
  readonly known: ReadonlyMap<number, EventPosition>;
}

function transactionOf(session: TransactionSession): ConsumerTransaction {
  return { feed: feedWriter(session), turns: turnWriter(session) };
}

/**
 * Returns those of the given events that follow the position. Returns null if `events` lacks an event between the
 * position and one of the events to return.
 */
function followingOn(
  position: EventPosition,
  events: readonly StoredEvent[],
): readonly StoredEvent[] | null {
  const following: StoredEvent[] = [];
  let last = position;
  for (const event of events) {
    if (comparePositions(event.position, last) <= 0) continue;
    if (comparePositions(event.previous ?? FIRST_POSITION, last) > 0) return null;
    following.push(event);
    last = event.position;
  }
  return following;
}

/**
 * Selects the environments that may have events after the consumer's position. Counts repeated events, and hints whose
 * previous event the consumer has not seen.
 */
function sortHints(
  hints: readonly EventHint[],
  { epoch, known }: Positions,
): Omit<Followed, 'more'> & { readonly ahead: readonly number[] } {
  const ahead: number[] = [];
  let [repeated, gaps] = [0, 0];
  for (const hint of hints) {
    const position = known.get(hint.environmentId);
    if (position === undefined) continue;
    const isOurs = hint.epoch === epoch;
    if (isOurs && comparePositions(hint.position, position) <= 0) repeated += hint.events;
    else ahead.push(hint.environmentId);
    if (isOurs && comparePositions(hint.previous ?? FIRST_POSITION, position) > 0) gaps += 1;
  }
  return { ahead, repeated, gaps };
}

/**
 * Locks the consumer's positions until the end of the transaction, in a fixed order to avoid deadlocks. Environments
 * that no longer exist, or whose deletion has deleted the positions, are ignored.
 */
async function lockPositions(
  session: TransactionSession,
  consumer: ConsumerName,
  environmentIds: readonly number[],
): Promise<Positions> {
  const values = [consumer, environmentIds];
  const lock = () => session.prepared<PositionRow>('lock-positions', LOCK_POSITIONS, values);
  let rows = await lock();
  if (rows.length < new Set(environmentIds).size) {
    await session.query(
      `INSERT INTO consumer_positions (environment_id, consumer, xid, id)
       SELECT id, $1, '${FIRST_POSITION.xid}', ${FIRST_POSITION.id} FROM environments
       WHERE id = ANY ($2::bigint[]) AND deleting_since IS NULL ORDER BY id ON CONFLICT DO NOTHING`,
      values,
    );
    rows = await lock();
  }
  return {
    epoch: rows[0]?.epoch ?? null,
    known: new Map(rows.map(({ environmentId, xid, id }) => [environmentId, { xid, id }])),
  };
}

type PositionRow = EventPosition & { readonly environmentId: number; readonly epoch: string };

const LOCK_POSITIONS = `
  SELECT environment_id AS "environmentId", xid::text, id,
    (SELECT outbox_epoch FROM installation) AS epoch
  FROM consumer_positions WHERE consumer = $1 AND environment_id = ANY ($2::bigint[])
  ORDER BY environment_id FOR NO KEY UPDATE`;

async function movePositions(
  session: TransactionSession,
  consumer: ConsumerName,
  events: readonly StoredEvent[],
): Promise<void> {
  const last = new Map(events.map(({ environmentId, position }) => [environmentId, position]));
  await session.prepared('move-positions', MOVE_POSITIONS, [
    consumer,
    [...last.keys()],
    [...last.values()].map(({ xid }) => xid),
    [...last.values()].map(({ id }) => id),
  ]);
}

const MOVE_POSITIONS = `
  UPDATE consumer_positions p SET xid = l.xid, id = l.id
  FROM ${rowsOf('$2::bigint[]', '$3::xid8[]', '$4::bigint[]')} AS l (environment_id, xid, id)
  WHERE p.consumer = $1 AND p.environment_id = l.environment_id`;

type ReadRow = EventRow & { readonly hasMore: boolean };

const READ_AFTER = `
  SELECT ${EVENT_COLUMNS}, o.found = $4 OR o.found > count(*) OVER environment AS "hasMore"
  FROM unnest($1::bigint[], $2::xid8[], $3::bigint[]) AS p (environment_id, xid, id)
  CROSS JOIN LATERAL (
    SELECT * FROM (
      SELECT o.*, count(*) OVER () AS found, sum(${DATA_BYTES}) OVER read - ${DATA_BYTES} AS bytes_before
      FROM (
        SELECT * FROM outbox o
        WHERE ${eventsAfter('p.environment_id', 'p.xid', 'p.id')}
          AND o.xid < (${HORIZON})
        ORDER BY ${BY_ENVIRONMENT} LIMIT $4
      ) o
      WINDOW read AS (ORDER BY o.xid, o.id ROWS UNBOUNDED PRECEDING)
    ) o
    WHERE o.bytes_before < $5
  ) o
  WINDOW environment AS (PARTITION BY o.environment_id)
  ORDER BY o.environment_id, o.xid, o.id`;

/** SQL for the position of a consumer in the environment of a row, with one lookup in the index. */
function positionIn(row: string, consumer: string): string {
  return `
  CROSS JOIN LATERAL (
    SELECT FROM environments e WHERE e.id = ${row}.environment_id AND e.deleting_since IS NULL OFFSET 0
  ) e
  LEFT JOIN LATERAL (
    SELECT p.xid, p.id FROM consumer_positions p
    WHERE p.environment_id = ${row}.environment_id AND p.consumer = ${consumer} OFFSET 0
  ) p ON true`;
}

/** SQL for a position that may be missing. */
function positionOf(row: string): string {
  return `(coalesce(${row}.xid, '${FIRST_POSITION.xid}'), coalesce(${row}.id, ${FIRST_POSITION.id}))`;
}

/**
 * Reads the events after the consumer's floor, and looks up one position for each of their environments. The floor
 * advances to the first of these events that is not yet consumed.
 */
const BEHIND = `
  WITH recent AS MATERIALIZED (
    SELECT o.environment_id, o.xid, o.id, o.created_at
    FROM (SELECT) AS one LEFT JOIN consumer_floors f ON f.consumer = $1 CROSS JOIN LATERAL (
      SELECT * FROM outbox o
      WHERE (o.xid, o.id) > ${positionOf('f')} AND o.xid < (${HORIZON})
      ORDER BY o.xid, o.id LIMIT $3
    ) o
  ), positions AS MATERIALIZED (
    SELECT r.environment_id, p.xid, p.id
    FROM (SELECT DISTINCT environment_id FROM recent) r ${positionIn('r', '$1')}
  ), compared AS MATERIALIZED (
    SELECT r.*, p.environment_id IS NOT NULL AND (r.xid, r.id) > ${positionOf('p')} AS is_pending
    FROM recent r LEFT JOIN positions p USING (environment_id)
  ), floor AS (
    INSERT INTO consumer_floors AS f (consumer, xid, id)
    SELECT $1, xid, id FROM (
      SELECT xid, id, bool_or(is_pending) OVER (ORDER BY xid, id) AS follows_pending FROM compared
    ) c WHERE NOT follows_pending ORDER BY xid DESC, id DESC LIMIT 1
    ON CONFLICT (consumer) DO UPDATE SET xid = excluded.xid, id = excluded.id
    WHERE (f.xid, f.id) < (excluded.xid, excluded.id)
  )
  SELECT environment_id AS id FROM compared WHERE is_pending GROUP BY environment_id
  HAVING min(created_at) <= clock_timestamp() - make_interval(secs => $2::float8 / 1000)
  ORDER BY min(created_at)`;

/** Reads the events after each consumer's floor, up to the first one that is not yet consumed. */
const LAGS = `
  SELECT c.name AS consumer, extract(epoch FROM clock_timestamp() - next.created_at)::float8 AS seconds
  FROM unnest($1::text[]) AS c (name) LEFT JOIN consumer_floors f ON f.consumer = c.name
  CROSS JOIN LATERAL (
    SELECT o.created_at FROM outbox o ${positionIn('o', 'c.name')}
    WHERE (o.xid, o.id) > ${positionOf('f')} AND o.xid < (${HORIZON}) AND (o.xid, o.id) > ${positionOf('p')}
    ORDER BY o.xid, o.id LIMIT 1
  ) next`;
