import type { AttemptRecord, HeldWebhook } from '@sightline/core/webhooks/delivery-queue';
import type { TransactionSession } from '../../doors/transaction-session.ts';
import { rowsOf } from '../database/rows-of.ts';

/** Records the attempts that were made, and queues the next ones. The caller has locked the row of the webhook. */
export async function recordAttempts(
  session: TransactionSession,
  { environmentId, id }: HeldWebhook,
  { made, queued, position }: AttemptRecord,
): Promise<void> {
  // Only failures after the last success belong to the current series of failures.
  const succeeded = made.findLastIndex(({ ok }) => ok);
  const failed = made.slice(succeeded + 1);
  await session.prepared('record-attempts', RECORD, [
    environmentId,
    id,
    position.xid,
    position.id,
    succeeded >= 0,
    failed[0]?.startedAt ?? null,
    failed.length,
    made.map(({ eventId }) => eventId),
    made.map(({ event }) => event),
    made.map(({ attempt }) => attempt),
    made.map(({ statusCode }) => statusCode),
    made.map(({ ok }) => ok),
    made.map(({ durationMs }) => durationMs),
    made.map(({ error }) => error),
    made.map(({ startedAt }) => startedAt),
    made.map(({ nextAttemptAt }) => nextAttemptAt),
    made.map((each) => each.position.xid),
    made.map((each) => each.position.id),
  ]);
  const ended = made.filter((each) => each.wasQueued && each.nextAttemptAt === null);
  if (ended.length > 0) {
    const positions = [
      ended.map((each) => each.position.xid),
      ended.map((each) => each.position.id),
    ];
    await session.query(END, [environmentId, id, ...positions]);
  }
  if (queued.length === 0) return;
  await session.query(QUEUE, [
    environmentId,
    id,
    queued.map((each) => each.position.xid),
    queued.map((each) => each.position.id),
    queued.map(({ eventId }) => eventId),
    queued.map(({ event }) => event),
    queued.map(({ body }) => body),
    queued.map(({ attempt }) => attempt),
    queued.map(({ dueAt }) => dueAt),
  ]);
}

const RECORD = `
  WITH turn AS (
    UPDATE webhook_turns SET xid = $3, id = $4,
      failing_since = CASE WHEN $5 THEN $6::timestamptz ELSE coalesce(failing_since, $6) END,
      failures = CASE WHEN $5 THEN 0 ELSE failures END + $7
    WHERE environment_id = $1 AND webhook_id = $2
  )
  INSERT INTO webhook_deliveries (environment_id, webhook_id, event_id, event, attempt, status_code,
    ok, duration_ms, error, created_at, next_attempt_at, outbox_xid, outbox_id)
  SELECT $1, $2, * FROM ${rowsOf(
    '$8::uuid[]',
    '$9::text[]',
    '$10::smallint[]',
    '$11::smallint[]',
    '$12::boolean[]',
    '$13::integer[]',
    '$14::text[]',
    '$15::timestamptz[]',
    '$16::timestamptz[]',
    '$17::xid8[]',
    '$18::bigint[]',
  )} AS made`;

/**
 * Deletes the ended attempts, looked up one by one by their key. The size of this table varies so much that the planner
 * cannot estimate it, and a join might read all attempts of the webhook.
 */
const END = `
  DELETE FROM webhook_attempts WHERE ctid = ANY (ARRAY(
    SELECT (
      SELECT a.ctid FROM webhook_attempts a
      WHERE a.environment_id = $1 AND a.webhook_id = $2 AND a.xid = e.xid AND a.id = e.id)
    FROM unnest($3::xid8[], $4::bigint[]) AS e (xid, id)))`;

const QUEUE = `
  INSERT INTO webhook_attempts
    (environment_id, webhook_id, xid, id, event_id, event, body, attempt, due_at)
  SELECT $1, $2, * FROM unnest($3::xid8[], $4::bigint[], $5::uuid[], $6::text[], $7::bytea[],
    $8::smallint[], $9::timestamptz[])
  ON CONFLICT (environment_id, webhook_id, xid, id)
  DO UPDATE SET attempt = excluded.attempt, due_at = excluded.due_at`;
