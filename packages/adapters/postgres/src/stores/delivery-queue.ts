import type { EventPlace } from '@sightline/core/events/stored-event';
import type {
  AttemptPage,
  DeliveryQueue,
  DueAttempt,
  HeldWebhook,
  MadeAttempt,
  QueueState,
} from '@sightline/core/webhooks/delivery-queue';
import { type DisabledReason, SHOWN_DELIVERIES } from '@sightline/core/webhooks/webhook';
import type { Doors } from '../doors/doors.ts';
import type { TransactionSession } from '../doors/transaction-session.ts';
import { SIGNING_SECRETS } from './webhooks.ts';

/** Rows that one statement removes. */
const BATCH = 10_000;

type AttemptRow = Omit<DueAttempt, 'place'> & EventPlace;
type HeldRow = Omit<HeldWebhook, 'failures'> & {
  readonly failingSince: Date | null;
  readonly failures: number;
};

export class PostgresDeliveryQueue implements DeliveryQueue {
  readonly #doors: Doors;

  constructor(doors: Doors) {
    this.#doors = doors;
  }

  async hold(
    wanted: {
      readonly limit: number;
      readonly without: readonly number[];
      readonly seconds: number;
    },
    signal?: AbortSignal,
  ): Promise<readonly HeldWebhook[]> {
    const { limit, without, seconds } = wanted;
    const rows = await this.#doors.onPlatform(
      'events',
      (session) => session.query<HeldRow>(HOLD, [limit, without, seconds]),
      signal,
    );
    return rows.map(({ failingSince, failures, ...held }) => ({
      ...held,
      failures: failingSince && { since: failingSince.getTime(), count: failures },
    }));
  }

  async renew(tokens: readonly string[], seconds: number): Promise<readonly string[]> {
    const rows = await this.#query<{ token: string }>(
      // In one order with those who queue.
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

  async first(
    { environmentId, id }: HeldWebhook,
    { after, limit, bytes }: AttemptPage & { readonly after: EventPlace },
    signal?: AbortSignal,
  ): Promise<readonly DueAttempt[]> {
    const rows = await this.#query<AttemptRow>(
      readAttempts('a.attempt = 1 AND (a.xid, a.id) > ($5::xid8, $6::bigint)', 'a.xid, a.id'),
      [environmentId, id, limit, bytes, after.xid, after.id],
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

  async record(
    held: HeldWebhook,
    made: readonly MadeAttempt[],
    disabled: DisabledReason | null,
  ): Promise<boolean> {
    return this.#doors.withPlatform('events', async (session) => {
      if (!(await lockTurn(session, held, disabled === null ? 'KEY SHARE' : 'NO KEY UPDATE'))) {
        return false;
      }
      await recordAttempts(session, held, made);
      await countFailures(session, held, made);
      if (disabled !== null) await disable(session, held, disabled);
      return true;
    });
  }

  async release(held: HeldWebhook): Promise<void> {
    await this.#doors.withPlatform('events', async (session) => {
      // What is queued meanwhile waits for this lock, and makes the webhook due again.
      if (!(await lockTurn(session, held))) return;
      await session.query(
        `UPDATE webhook_turns SET token = NULL, lease_until = NULL,
           due_at = CASE
             WHEN EXISTS (
               SELECT FROM webhook_attempts
               WHERE environment_id = $1 AND webhook_id = $2 AND attempt = 1) THEN now()
             ELSE (
               SELECT min(due_at) FROM webhook_attempts
               WHERE environment_id = $1 AND webhook_id = $2 AND attempt > 1) END
         WHERE environment_id = $1 AND webhook_id = $2`,
        [held.environmentId, held.id],
      );
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
    // Of attempts that ended at the same moment, each left the message to the other one.
    while ((await this.#query(PRUNE_MESSAGES, [], signal)).length === BATCH);
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

/**
 * Attempts with their messages, in this order, up to so many and so many bytes. Messages are found one by one, as
 * rows are where attempts are recorded.
 */
function readAttempts(condition: string, order: string): string {
  return `
  SELECT xid::text, id, attempt, "eventId", event, body FROM (
    SELECT a.xid, a.id, a.attempt, m.event_id AS "eventId", m.event, m.body,
      row_number() OVER read AS nth,
      sum(octet_length(m.body)) OVER read AS bytes
    FROM (
      SELECT * FROM webhook_attempts a
      WHERE a.environment_id = $1 AND a.webhook_id = $2 AND ${condition}
      ORDER BY ${order} LIMIT $3
    ) a
    CROSS JOIN LATERAL (
      SELECT m.event_id, m.event, m.body FROM webhook_messages m
      WHERE m.environment_id = a.environment_id AND m.xid = a.xid AND m.id = a.id OFFSET 0
    ) m
    WINDOW read AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)
  ) page
  WHERE nth = 1 OR bytes <= $4 ORDER BY nth`;
}

function toAttempt({ xid, id, ...attempt }: AttemptRow): DueAttempt {
  return { ...attempt, place: { xid, id } };
}

const HOLD = `
  UPDATE webhook_turns t SET token = gen_random_uuid(),
    lease_until = clock_timestamp() + make_interval(secs => $3::float8)
  FROM (
    SELECT t.environment_id, t.webhook_id FROM webhook_turns t
    JOIN webhooks w ON w.environment_id = t.environment_id AND w.id = t.webhook_id
    WHERE t.due_at <= clock_timestamp() AND w.is_active
      AND (t.lease_until IS NULL OR t.lease_until < clock_timestamp())
      AND t.environment_id <> ALL ($2::bigint[])
    ORDER BY t.due_at LIMIT $1 FOR NO KEY UPDATE OF t SKIP LOCKED
  ) due
  JOIN webhooks w ON w.environment_id = due.environment_id AND w.id = due.webhook_id
  WHERE t.environment_id = due.environment_id AND t.webhook_id = due.webhook_id
  RETURNING t.environment_id AS "environmentId", t.webhook_id AS id, t.token, w.url,
    ${SIGNING_SECRETS} AS secrets, t.failing_since AS "failingSince", t.failures`;

/**
 * Whether the hold is still there; until the end of the transaction, then. The webhook is locked first, as by all
 * who change it.
 */
async function lockTurn(
  session: TransactionSession,
  held: HeldWebhook,
  webhook: 'KEY SHARE' | 'NO KEY UPDATE' = 'KEY SHARE',
): Promise<boolean> {
  const rows = await session.query(
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

async function recordAttempts(
  session: TransactionSession,
  { environmentId, id }: HeldWebhook,
  made: readonly MadeAttempt[],
): Promise<void> {
  await session.query(RECORD, [
    environmentId,
    id,
    made.map(({ place }) => place.xid),
    made.map(({ place }) => place.id),
    made.map(({ eventId }) => eventId),
    made.map(({ event }) => event),
    made.map(({ attempt }) => attempt),
    made.map(({ statusCode }) => statusCode),
    made.map(({ ok }) => ok),
    made.map(({ durationMs }) => durationMs),
    made.map(({ error }) => error),
    made.map(({ beganAt }) => beganAt),
    made.map(({ nextAttemptAt }) => nextAttemptAt),
  ]);
  const places = [made.map(({ place }) => place.xid), made.map(({ place }) => place.id)];
  await session.query(FORGET_MESSAGES, [environmentId, ...places]);
}

/**
 * Rows are found one by one, through their keys: this table is now empty and now long, so that the planner knows
 * little of it, and a join may read all that waits for the webhook each time.
 */
const RECORD = `
  WITH made AS MATERIALIZED (
    SELECT * FROM unnest($3::xid8[], $4::bigint[], $5::uuid[], $6::text[], $7::smallint[],
        $8::smallint[], $9::boolean[], $10::integer[], $11::text[], $12::timestamptz[],
        $13::timestamptz[])
      AS m (xid, id, event_id, event, attempt, status_code, ok, duration_ms, error, created_at,
            next_attempt_at)
  ), queued AS MATERIALIZED (
    SELECT m.*, (
      SELECT a.ctid FROM webhook_attempts a
      WHERE a.environment_id = $1 AND a.webhook_id = $2 AND a.xid = m.xid AND a.id = m.id
    ) AS row FROM made m
  ), ended AS (
    DELETE FROM webhook_attempts
    WHERE ctid = ANY (ARRAY(SELECT row FROM queued WHERE next_attempt_at IS NULL))
  ), again AS (
    UPDATE webhook_attempts a SET attempt = q.attempt + 1, due_at = q.next_attempt_at FROM queued q
    WHERE a.ctid = q.row AND a.ctid = ANY (ARRAY(
      SELECT row FROM queued WHERE next_attempt_at IS NOT NULL))
  )
  INSERT INTO webhook_deliveries (environment_id, webhook_id, event_id, event, attempt, status_code,
    ok, duration_ms, error, created_at, next_attempt_at)
  SELECT $1, $2, event_id, event, attempt, status_code, ok, duration_ms, error, created_at,
    next_attempt_at
  FROM made ORDER BY created_at`;

/** Messages that no webhook waits for any more. */
const FORGET_MESSAGES = `
  DELETE FROM webhook_messages WHERE ctid = ANY (ARRAY(
    SELECT (
      SELECT m.ctid FROM webhook_messages m
      WHERE m.environment_id = $1 AND m.xid = d.xid AND m.id = d.id)
    FROM unnest($2::xid8[], $3::bigint[]) AS d (xid, id)
    WHERE (
      SELECT a.webhook_id FROM webhook_attempts a
      WHERE a.environment_id = $1 AND a.xid = d.xid AND a.id = d.id LIMIT 1) IS NULL))`;

/** One that succeeded ends a row of failures. */
async function countFailures(
  session: TransactionSession,
  { environmentId, id }: HeldWebhook,
  made: readonly MadeAttempt[],
): Promise<void> {
  const succeeded = made.findLastIndex(({ ok }) => ok);
  const failed = made.slice(succeeded + 1);
  await session.query(
    `UPDATE webhook_turns SET
       failing_since = CASE WHEN $3 THEN $4::timestamptz ELSE coalesce(failing_since, $4) END,
       failures = CASE WHEN $3 THEN 0 ELSE failures END + $5
     WHERE environment_id = $1 AND webhook_id = $2 AND ($5 > 0 OR failures > 0)`,
    [environmentId, id, succeeded >= 0, failed[0]?.beganAt ?? null, failed.length],
  );
}

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

const STATE = `
  SELECT count(*) FILTER (WHERE a.attempt = 1) AS first,
         count(*) FILTER (WHERE a.attempt > 1) AS repeated,
         coalesce(extract(epoch FROM now() - min(a.due_at) FILTER (WHERE a.attempt = 1)), 0)::float8
           AS "oldestSeconds"
  FROM webhook_attempts a`;

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

const PRUNE_MESSAGES = `
  DELETE FROM webhook_messages m USING (
    SELECT environment_id, xid, id FROM webhook_messages o
    WHERE NOT EXISTS (
      SELECT FROM webhook_attempts a
      WHERE a.environment_id = o.environment_id AND a.xid = o.xid AND a.id = o.id)
    LIMIT ${BATCH}
  ) left_over
  WHERE m.environment_id = left_over.environment_id AND m.xid = left_over.xid AND m.id = left_over.id
  RETURNING m.id`;
