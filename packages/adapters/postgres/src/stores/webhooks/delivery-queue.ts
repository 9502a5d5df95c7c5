import { type EventPosition, FIRST_POSITION } from '@sightline/core/events/stored-event';
import type {
  AttemptPage,
  AttemptRecord,
  DeliveryQueue,
  DueAttempt,
  EventPage,
  HeldWebhook,
  HoldRequest,
  HoldResult,
  QueueState,
} from '@sightline/core/webhooks/delivery-queue';
import { type DisabledReason, SHOWN_DELIVERIES } from '@sightline/core/webhooks/webhook';
import type { Doors } from '../../doors/doors.ts';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { IS_SUBSCRIBED, READ_EVENTS, readAttempts } from './due-messages.ts';
import {
  BY_ENVIRONMENT,
  type EventRow,
  eventsAfter,
  toStoredEvent,
} from '../events/outbox-rows.ts';
import { recordAttempts } from './record-attempts.ts';
import { SIGNING_SECRETS } from './webhooks.ts';

/** The maximum number of rows that one statement deletes. */
const BATCH = 10_000;

type AttemptRow = Omit<DueAttempt, 'position'> & EventPosition;
type HeldRow = Omit<HeldWebhook, 'failures' | 'position'> & {
  readonly failingSince: Date | null;
  readonly failures: number;
  readonly xid: string;
  readonly lastId: number;
};
type HoldRow = (HeldRow | { readonly token: null }) &
  (
    | { readonly endDueAt: Date; readonly endEnvironmentId: number; readonly endId: number }
    | { readonly endDueAt: null }
  );
type PageRow = EventRow & { readonly isSubscribed: boolean; readonly hasMore: boolean };

export class PostgresDeliveryQueue implements DeliveryQueue {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async hold(
    { after, read, most, limit, share, failing, held, seconds }: HoldRequest,
    signal?: AbortSignal,
  ): Promise<HoldResult> {
    const values = [
      limit,
      share,
      failing.limit,
      failing.share,
      failing.after,
      held.map(({ environmentId }) => environmentId),
      held.map(({ webhooks }) => webhooks),
      held.map((each) => each.failing),
      seconds,
      most,
      read,
      after?.dueAt ?? null,
      after?.environmentId ?? 0,
      after?.id ?? 0,
    ];
    const rows = await this.#doors.withPlatform(
      'events',
      (session) => session.prepared<HoldRow>('hold-webhooks', HOLD, values),
      signal,
    );
    const [first] = rows as [HoldRow];
    return {
      webhooks: rows.filter((row) => row.token !== null).map(toHeldWebhook),
      end:
        first.endDueAt === null
          ? null
          : { dueAt: first.endDueAt, environmentId: first.endEnvironmentId, id: first.endId },
    };
  }

  async renew(tokens: readonly string[], seconds: number): Promise<readonly string[]> {
    const rows = await this.#query<{ token: string }>(
      // The rows are locked in the same order as in transactions that queue attempts, so that they cannot deadlock.
      `WITH turn AS MATERIALIZED (
         SELECT environment_id, webhook_id FROM webhook_turns WHERE token = ANY ($1::uuid[])
         ORDER BY environment_id, webhook_id FOR NO KEY UPDATE
       )
       UPDATE webhook_turns t
       SET lease_until = clock_timestamp() + make_interval(secs => $2::float8) FROM turn
       WHERE t.environment_id = turn.environment_id AND t.webhook_id = turn.webhook_id
         AND t.token = ANY ($1::uuid[]) RETURNING t.token`,
      [tokens, seconds],
    );
    return rows.map(({ token }) => token);
  }

  async events(
    { environmentId, id }: HeldWebhook,
    { after, limit, bytes }: AttemptPage & { readonly after: EventPosition },
    signal?: AbortSignal,
  ): Promise<EventPage> {
    const rows = await this.#doors.withPlatform(
      'events',
      (session) =>
        session.query<PageRow>(READ_EVENTS, [environmentId, id, after.xid, after.id, limit, bytes]),
      signal,
    );
    const last = rows.at(-1);
    if (last === undefined) return { events: [], end: after, hasMore: false };
    const subscribed = rows.filter(({ isSubscribed }) => isSubscribed);
    return {
      events: subscribed.map((row) => toStoredEvent(row, null)),
      end: { xid: last.xid, id: last.id },
      hasMore: last.hasMore,
    };
  }

  async first(
    { environmentId, id }: HeldWebhook,
    { after, limit, bytes }: AttemptPage & { readonly after: EventPosition | null },
    signal?: AbortSignal,
  ): Promise<readonly DueAttempt[]> {
    const { xid, id: lastId } = after ?? FIRST_POSITION;
    const rows = await this.#query<AttemptRow>(
      readAttempts('a.attempt = 1 AND (a.xid, a.id) > ($5::xid8, $6::bigint)', 'a.xid, a.id'),
      [environmentId, id, limit, bytes, xid, lastId],
      signal,
    );
    return rows.map(toAttempt);
  }

  async repeated(
    { environmentId, id }: HeldWebhook,
    { limit, bytes }: AttemptPage,
    signal?: AbortSignal,
  ): Promise<readonly DueAttempt[]> {
    const rows = await this.#query<AttemptRow>(
      readAttempts('a.attempt > 1 AND a.due_at <= clock_timestamp()', 'a.due_at, a.xid, a.id'),
      [environmentId, id, limit, bytes],
      signal,
    );
    return rows.map(toAttempt);
  }

  async record(held: HeldWebhook, record: AttemptRecord): Promise<boolean> {
    const { disabled } = record;
    return this.#doors.withPlatform('events', async (session) => {
      if (!(await lockTurn(session, held, disabled === null ? 'KEY SHARE' : 'NO KEY UPDATE'))) {
        return false;
      }
      await recordAttempts(session, held, record);
      if (disabled !== null) await disable(session, held, disabled);
      return true;
    });
  }

  async release(held: HeldWebhook, position: EventPosition): Promise<void> {
    await this.#doors.withPlatform('events', async (session) => {
      // A concurrent transaction that wakes the webhook waits for this lock, and then makes the webhook due again.
      if (!(await lockTurn(session, held))) return;
      await session.query(RELEASE, [held.environmentId, held.id, position.xid, position.id]);
    });
  }

  async state(signal?: AbortSignal): Promise<QueueState> {
    const [state] = await this.#query<QueueState>(STATE, [], signal);
    return state!;
  }

  async prune(hours: number, signal?: AbortSignal): Promise<number> {
    let removed = 0;
    let batch: number;
    do {
      batch = (await this.#query(PRUNE_DELIVERIES, [hours], signal)).length;
      removed += batch;
    } while (batch === BATCH);
    return removed;
  }

  #query<Row>(
    text: string,
    values: readonly unknown[],
    signal?: AbortSignal,
  ): Promise<readonly Row[]> {
    return this.#doors.onPlatform('events', (session) => session.query<Row>(text, values), signal);
  }
}

function toHeldWebhook(row: HeldRow): HeldWebhook {
  const { failingSince, failures, xid, lastId, ...held } = row;
  return {
    ...held,
    failures: failingSince && { since: failingSince.getTime(), count: failures },
    position: { xid, id: lastId },
  };
}

function toAttempt({ xid, id, ...attempt }: AttemptRow): DueAttempt {
  return { ...attempt, position: { xid, id } };
}

const IS_FREE = '(t.lease_until IS NULL OR t.lease_until < statement_timestamp())';

/** The order in which {@link HOLD} reads the due webhooks, page by page. */
const BY_DUE_TIME = 't.due_at DESC, t.environment_id DESC, t.webhook_id DESC';

/**
 * Reserves webhooks of one page of the due ones, so that its cost does not depend on how many are due. They are limited
 * in two steps: first the failing ones among themselves, then all of them. A `level` is the number of webhooks that the
 * environment would hold with this one; those with a low level come first. The numbers of held webhooks are looked up in
 * arrays, because the planner could not estimate a join with the page. Webhooks for which an environment has no room
 * are left out first, because most of a long page are of that kind. If the page is full, its last row is returned
 * with each result.
 */
const HOLD = `
  WITH page AS MATERIALIZED (
    SELECT t.environment_id, t.webhook_id, t.due_at, t.failures >= $5 AS is_failing,
      ${IS_FREE} AS is_free, array_position($6::bigint[], t.environment_id) AS nth_held
    FROM webhook_turns t
    WHERE (t.due_at, t.environment_id, t.webhook_id)
      < (coalesce($12::timestamptz, statement_timestamp()), $13::bigint, $14::bigint)
    ORDER BY ${BY_DUE_TIME} LIMIT $11
  ), due AS (
    SELECT t.environment_id, t.webhook_id, t.due_at, t.is_failing,
      coalesce(($7::integer[])[t.nth_held], 0) AS held,
      row_number() OVER kind + coalesce(($8::integer[])[t.nth_held], 0) AS level
    FROM page t JOIN webhooks w ON w.environment_id = t.environment_id AND w.id = t.webhook_id
    WHERE t.is_free AND w.is_active AND (NOT t.is_failing OR $3::integer > 0)
      AND coalesce(($7::integer[])[t.nth_held], 0) < least($1::integer, $2::integer)
    WINDOW kind AS (PARTITION BY t.environment_id, t.is_failing ORDER BY t.due_at)
  ), admitted AS (
    SELECT *, row_number() OVER (PARTITION BY is_failing ORDER BY level, due_at) AS place
    FROM due WHERE NOT is_failing OR level <= $4::integer
  ), turn AS (
    SELECT environment_id, webhook_id, due_at,
      row_number() OVER (PARTITION BY environment_id ORDER BY is_failing, due_at) + held AS level
    FROM admitted WHERE NOT is_failing OR place <= $3::integer
  ), ranked AS (
    SELECT *, row_number() OVER (ORDER BY level, due_at) AS place FROM turn WHERE level <= $2
  ), held AS (
    UPDATE webhook_turns t SET token = gen_random_uuid(),
      lease_until = clock_timestamp() + make_interval(secs => $9::float8)
    FROM (
      SELECT t.environment_id, t.webhook_id FROM ranked r
      JOIN webhook_turns t ON t.environment_id = r.environment_id AND t.webhook_id = r.webhook_id
        AND t.due_at = r.due_at
      WHERE r.level <= $1::integer - r.place + 1 AND ${IS_FREE}
      ORDER BY r.place LIMIT $10 FOR NO KEY UPDATE OF t SKIP LOCKED
    ) due
    JOIN webhooks w ON w.environment_id = due.environment_id AND w.id = due.webhook_id
    WHERE t.environment_id = due.environment_id AND t.webhook_id = due.webhook_id
    RETURNING t.environment_id AS "environmentId", t.webhook_id AS id, t.token, w.url,
      ${SIGNING_SECRETS} AS secrets, t.failing_since AS "failingSince", t.failures,
      t.xid::text AS xid, t.id AS "lastId",
      CASE (
        SELECT d.attempt FROM webhook_deliveries d
        WHERE d.environment_id = t.environment_id AND d.webhook_id = t.webhook_id
        ORDER BY d.id DESC LIMIT 1) WHEN 1 THEN 'repeated' ELSE 'first' END AS turn
  )
  SELECT held.*, last.due_at AS "endDueAt", last.environment_id AS "endEnvironmentId",
    last.webhook_id AS "endId"
  FROM (SELECT) AS one
  LEFT JOIN held ON true
  LEFT JOIN (SELECT * FROM page t ORDER BY ${BY_DUE_TIME} OFFSET $11::bigint - 1) last ON true`;

/**
 * Whether the claim is still valid. A valid claim stays valid until the end of the transaction. The row of the webhook
 * is locked first, as in every transaction that changes the webhook.
 */
async function lockTurn(
  session: TransactionSession,
  held: HeldWebhook,
  webhook: 'KEY SHARE' | 'NO KEY UPDATE' = 'KEY SHARE',
): Promise<boolean> {
  const rows = await session.prepared(
    `hold-webhook-for-${webhook === 'KEY SHARE' ? 'attempts' : 'its-end'}`,
    `WITH webhook AS MATERIALIZED (
       SELECT environment_id, id FROM webhooks WHERE environment_id = $1 AND id = $2 FOR ${webhook}
     )
     SELECT FROM webhook w JOIN webhook_turns t
       ON t.environment_id = w.environment_id AND t.webhook_id = w.id
     WHERE t.token = $3 FOR NO KEY UPDATE OF t`,
    [held.environmentId, held.id, held.token],
  );
  return rows.length > 0;
}

/**
 * Releases the webhook. The webhook is due at once if a first attempt is queued or the outbox has a further event for
 * it, even if the event cannot be read yet because an older transaction is still open.
 */
const RELEASE = `
  UPDATE webhook_turns t SET token = NULL, lease_until = NULL, xid = $3, id = $4,
    due_at = CASE
      WHEN EXISTS (
        SELECT FROM webhook_attempts
        WHERE environment_id = $1 AND webhook_id = $2 AND attempt = 1) THEN now()
      WHEN EXISTS (
        SELECT FROM outbox o JOIN webhooks w ON w.environment_id = $1 AND w.id = $2
        WHERE o.environment_id = $1 AND (o.xid, o.id) > ($3::xid8, $4::bigint)
          AND w.is_active AND ${IS_SUBSCRIBED}
      ) THEN now()
      ELSE (
        SELECT min(due_at) FROM webhook_attempts
        WHERE environment_id = $1 AND webhook_id = $2 AND attempt > 1) END
  WHERE t.environment_id = $1 AND t.webhook_id = $2`;

async function disable(
  session: TransactionSession,
  { environmentId, id }: HeldWebhook,
  reason: DisabledReason,
): Promise<void> {
  await session.query(
    `UPDATE webhooks SET is_active = false, disabled_reason = $3
     WHERE environment_id = $1 AND id = $2`,
    [environmentId, id, reason],
  );
  await session.query(
    'DELETE FROM webhook_attempts WHERE environment_id = $1 AND webhook_id = $2',
    [environmentId, id],
  );
}

/**
 * The maximum number of messages that are counted. With many unresponsive webhooks, a full count would take longer than
 * the interval between two counts.
 */
const MOST_COUNTED = 100_000;

/**
 * Counts all messages for webhooks that are due, but only retries for other webhooks. The oldest event is looked up
 * only for due webhooks.
 */
const STATE = `
  WITH due AS MATERIALIZED (
    SELECT t.environment_id, t.webhook_id, t.xid, t.id, w.events, w.active_from
    FROM webhook_turns t
    JOIN webhooks w ON w.environment_id = t.environment_id AND w.id = t.webhook_id
    WHERE t.due_at <= now() AND w.is_active
  ), queued AS (
    SELECT count(*) FILTER (WHERE attempt = 1) AS first, count(*) FILTER (WHERE attempt > 1) AS repeated
    FROM (SELECT attempt FROM webhook_attempts LIMIT ${MOST_COUNTED}) a
  ), event AS (
    SELECT count(*) FILTER (WHERE is_subscribed) AS first FROM (
      SELECT ${IS_SUBSCRIBED} AS is_subscribed FROM due w
      JOIN outbox o ON o.environment_id = w.environment_id AND (o.xid, o.id) > (w.xid, w.id)
      LIMIT ${MOST_COUNTED}
    ) e
  ), oldest AS (
    SELECT min(least(a.due_at, o.created_at)) AS at FROM due w
    LEFT JOIN LATERAL (
      SELECT a.due_at FROM webhook_attempts a
      WHERE a.environment_id = w.environment_id AND a.webhook_id = w.webhook_id AND a.attempt = 1
      ORDER BY a.xid, a.id LIMIT 1
    ) a ON true
    LEFT JOIN LATERAL (
      SELECT o.created_at, ${IS_SUBSCRIBED} AS is_subscribed FROM outbox o
      WHERE ${eventsAfter('w.environment_id', 'w.xid', 'w.id')}
      ORDER BY ${BY_ENVIRONMENT} LIMIT 1
    ) o ON o.is_subscribed
  )
  SELECT q.first + e.first AS first, q.repeated,
    coalesce(extract(epoch FROM now() - oldest.at), 0)::float8 AS "oldestSeconds"
  FROM queued q, event e, oldest`;

const PRUNE_DELIVERIES = `
  DELETE FROM webhook_deliveries d USING (
    SELECT environment_id, webhook_id, id FROM webhook_deliveries o
    WHERE created_at < now() - make_interval(hours => $1)
      AND id < (
        SELECT id FROM webhook_deliveries k
        WHERE k.environment_id = o.environment_id AND k.webhook_id = o.webhook_id
        ORDER BY id DESC OFFSET ${SHOWN_DELIVERIES - 1} LIMIT 1)
    LIMIT ${BATCH}
  ) old
  WHERE d.environment_id = old.environment_id AND d.webhook_id = old.webhook_id AND d.id = old.id
  RETURNING d.id`;
