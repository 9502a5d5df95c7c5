import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  openWebhookSink,
  type ReceivedMessage,
  type WebhookSink,
} from '../support/servers/webhook-sink.ts';
import {
  type EventPlatform,
  openEventPlatform,
  SECRET,
  VICTIMS,
} from '../support/services/event-platform.ts';

const IS_SOAK = process.env.SIGHTLINE_TEST_SOAK === '1';
const SEED = IS_SOAK ? Date.now() % 1_000_000 : 17;
const ROUNDS = IS_SOAK ? 60 : 6;
const PAUSE_MS = 100;
/** Which the endpoint refuses at first, of so many messages one. */
const REFUSED = 50;
/** In which the endpoint answers. */
const MOST_MS = 15;
const FILTER = ['identity.updated', 'detection.deleted'];

let events: EventPlatform;
let sink: WebhookSink;
/** Called with each message before it is answered. */
let received: ((message: ReceivedMessage) => Promise<void>) | null = null;
/** Messages that the endpoint has refused. */
const refused = new Set<string>();

beforeAll(async () => {
  sink = await openWebhookSink((message) => {
    void received?.(message);
    return { status: isRefused(message) ? 503 : 204, afterMs: MOST_MS * Math.random() };
  });
  events = await openEventPlatform();
  const [all, some] = events.environmentIds as [number, number];
  await events.register(all, { url: `${sink.url}/all`, events: [] });
  await events.register(some, { url: `${sink.url}/some`, events: FILTER });
  for (const each of ['projector', 'dispatcher-1'] as const) await events.start(each);
});
afterAll(async () => {
  await events[Symbol.asyncDispose]();
  await sink[Symbol.asyncDispose]();
});

function isRefused({ headers }: ReceivedMessage): boolean {
  const id = headers['webhook-id'] as string;
  if (Number.parseInt(id.slice(-6), 16) % REFUSED > 0 || refused.has(id)) return false;
  refused.add(id);
  return true;
}

/** Emits an event about an identity in the first environment. */
async function emit(identityId: number): Promise<void> {
  const [environmentId] = events.environmentIds as [number];
  await events.database.withEntities({ environmentId, locks: [] }, (tx) =>
    tx.emit({ event: 'identity_deleted', facts: { identityId } }),
  );
}

/** Waits until somebody waits for a lock on the table. */
const untilBlocked = (table: string) =>
  events.untilThere('SELECT FROM pg_locks WHERE relation = $1::regclass AND NOT granted', [table]);

/** As if the process that was killed had held its webhooks for the last time long ago. */
const endHolds = () =>
  events.query(`UPDATE webhook_turns SET lease_until = now() - interval '1 second'
    WHERE token IS NOT NULL`);

describe('a process that is killed', () => {
  test.each([
    ['projector', 'writes entries', 'feed_entries'],
    ['dispatcher-1', 'wakes webhooks', 'webhook_turns'],
    ['dispatcher-1', 'records what it has sent', 'webhook_deliveries'],
  ] as const)('%s, while it %s', async (victim, _what, table) => {
    const unblock = await events.block(table);
    await emit(1);
    await untilBlocked(table);
    await events.kill(victim);
    await unblock();
    await endHolds();
    await events.start(victim);
    await expectTold();
  });

  test('dispatcher-1, while its message is not answered', async () => {
    const came = Promise.withResolvers<undefined>();
    received = async () => {
      received = null;
      await events.kill('dispatcher-1');
      came.resolve(undefined);
    };
    await emit(2);
    await came.promise;
    await endHolds();
    await events.start('dispatcher-1');
    await expectTold();
  });

  test('dispatcher-1, when it has taken a webhook', async () => {
    const unblockRecord = await events.block('webhook_deliveries');
    await emit(3);
    await untilBlocked('webhook_deliveries');
    await events.kill('dispatcher-1');
    await unblockRecord();
    await endHolds();
    const unblock = await events.block('webhook_attempts', 'reads');
    await events.start('dispatcher-1');
    await untilBlocked('webhook_attempts');
    await events.untilThere('SELECT FROM webhook_turns WHERE lease_until > now()');
    await events.kill('dispatcher-1');
    await unblock();
    await endHolds();
    await events.start('dispatcher-1');
    await expectTold();
  });

  test('any, at any moment, while twelve write', async () => {
    process.stderr.write(`random kills with seed ${SEED}\n`);
    for (const each of ['dispatcher-2', 'writers'] as const) await events.start(each);
    for (const { victim, afterMs } of fc.sample(round, { seed: SEED, numRuns: ROUNDS })) {
      await sleep(afterMs);
      await events.kill(victim);
      await sleep(afterMs);
      await events.start(victim);
    }
    await sleep(PAUSE_MS);
    await events.kill('writers');
    await expectTold();
    process.stderr.write(`${sink.received.length} messages have come\n`);
  });
});

const round = fc.record({
  victim: fc.constantFrom(...VICTIMS),
  afterMs: fc.nat({ max: 1200 }),
});

interface OutboxRow {
  readonly eventId: string;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

/** Every event that was committed is in the feed once, in its order, and has reached its webhook. */
async function expectTold(): Promise<void> {
  const [all, some] = events.environmentIds as [number, number];
  for (const [environmentId, path] of [
    [all, '/all'],
    [some, '/some'],
  ] as const) {
    const committed = await outboxOf(environmentId);
    await untilConsumed(environmentId);
    await expectFeed(environmentId, committed);
    const wanted =
      path === '/all' ? committed : committed.filter(({ event }) => FILTER.includes(event));
    expectReceived(path, wanted);
  }
}

function outboxOf(environmentId: number): Promise<OutboxRow[]> {
  return events.query<OutboxRow>(
    `SELECT event_id AS "eventId", event, data FROM outbox
     WHERE environment_id = $1 ORDER BY xid, id`,
    [environmentId],
  );
}

const untilConsumed = (environmentId: number) =>
  events.untilThere(
    `SELECT WHERE NOT EXISTS (
       SELECT FROM outbox o WHERE o.environment_id = $1 AND 2 <> (
         SELECT count(*) FROM consumer_places p
         WHERE p.environment_id = $1 AND (p.xid, p.id) >= (o.xid, o.id)))
     AND NOT EXISTS (
       SELECT FROM webhook_turns WHERE environment_id = $1 AND due_at IS NOT NULL)`,
    [environmentId],
  );

async function expectFeed(environmentId: number, committed: readonly OutboxRow[]): Promise<void> {
  const entries = await events.query<{ id: number; eventId: string }>(
    `SELECT id, event_id AS "eventId" FROM feed_entries WHERE environment_id = $1 ORDER BY id`,
    [environmentId],
  );
  expect(entries.map(({ id }) => id)).toEqual(entries.map((_, at) => at + 1));
  const told = committed.flatMap(({ eventId, data }) =>
    ((data.detection_ids as number[] | undefined) ?? [0]).map(() => eventId),
  );
  expect(entries.map(({ eventId }) => eventId)).toEqual(told);
}

function expectReceived(path: string, committed: readonly OutboxRow[]): void {
  const messages = sink.received.filter((message) => message.path === path);
  const byId = Map.groupBy(messages, ({ headers }) => headers['webhook-id'] as string);
  expect([...byId.keys()].sort()).toEqual(committed.map(({ eventId }) => eventId).sort());
  for (const [id, attempts] of byId) {
    const { body } = attempts[0]!;
    expect(JSON.parse(body.toString())).toMatchObject({ id });
    const hex = createHmac('sha256', SECRET).update(body).digest('hex');
    for (const attempt of attempts) {
      expect(attempt.body).toEqual(body);
      expect(attempt.headers['x-service-signature']).toBe(`sha256=${hex}`);
    }
  }
  expectInOrder(committed.map(({ eventId }) => byId.get(eventId)![0]!));
}

/** Of two first attempts about the same thing, the later one has come when the earlier one had ended. */
function expectInOrder(firsts: readonly ReceivedMessage[]): void {
  const before = new Map<string, ReceivedMessage>();
  for (const first of firsts) {
    for (const entity of entitiesOf(first)) {
      const earlier = before.get(entity);
      if (earlier !== undefined) expect(first.at).toBeGreaterThanOrEqual(earlier.endedAt!);
      before.set(entity, first);
    }
  }
}

/** What a message is about; the first attempts about each of these are in order. */
function entitiesOf({ body }: ReceivedMessage): readonly string[] {
  const { data } = JSON.parse(body.toString()) as { data: Record<string, number | number[]> };
  const identities = [data.identity_id, data.merged_into].map((id) => `identity ${id as number}`);
  const detections = [data.detection_id, data.detection_ids].flat().map((id) => `detection ${id}`);
  return [...new Set([...identities, ...detections])].filter((name) => /\d$/.test(name));
}
