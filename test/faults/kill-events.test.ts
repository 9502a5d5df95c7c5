import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, test } from '@jest/globals';
import fc from 'fast-check';
import { endLeases } from '../support/fixtures/end-leases.ts';
import {
  openWebhookSink,
  type ReceivedMessage,
  type WebhookSink,
} from '../support/servers/webhook-sink.ts';
import {
  type EventPlatform,
  openEventPlatform,
  VICTIMS,
} from '../support/services/event-platform.ts';
import { testInSoak } from '../support/gates/soak.ts';
import { type Deliveries, expectDelivered } from './expect-delivered.ts';

const SEED = Date.now() % 1_000_000;
const ROUNDS = 60;
const PAUSE_MS = 100;
/** The endpoint refuses the first attempt of one in this many messages. */
const REFUSED = 50;
/** The longest delay of the endpoint's answers, in ms. */
const MOST_MS = 15;
const FILTER = ['identity.updated', 'detection.deleted'];

let events: EventPlatform;
let sink: WebhookSink;
let deliveries: Deliveries;
/** The function is called with each message before the endpoint answers. */
let received: ((message: ReceivedMessage) => Promise<void>) | null = null;
/** The ids of messages that the endpoint has refused. */
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
  deliveries = {
    events,
    sink,
    webhooks: [
      { environmentId: all, path: '/all', filter: null },
      { environmentId: some, path: '/some', filter: FILTER },
    ],
  };
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

/** Waits until some transaction waits for a lock on the table. */
const untilBlocked = (table: string) =>
  events.untilThere('SELECT FROM pg_locks WHERE relation = $1::regclass AND NOT granted', [table]);

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
    await endLeases(events);
    await events.start(victim);
    await expectDelivered(deliveries);
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
    await endLeases(events);
    await events.start('dispatcher-1');
    await expectDelivered(deliveries);
  });

  test('dispatcher-1, when it has taken a webhook', async () => {
    const unblockRecord = await events.block('webhook_deliveries');
    await emit(3);
    await untilBlocked('webhook_deliveries');
    await events.kill('dispatcher-1');
    await unblockRecord();
    await endLeases(events);
    const unblock = await events.block('webhook_attempts', 'reads');
    await events.start('dispatcher-1');
    await untilBlocked('webhook_attempts');
    await events.untilThere('SELECT FROM webhook_turns WHERE lease_until > now()');
    await events.kill('dispatcher-1');
    await unblock();
    await endLeases(events);
    await events.start('dispatcher-1');
    await expectDelivered(deliveries);
  });

  testInSoak('any, at any moment, while twelve write', async () => {
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
    await expectDelivered(deliveries);
    process.stderr.write(`${sink.received.length} messages have come\n`);
  });
});

const round = fc.record({
  victim: fc.constantFrom(...VICTIMS),
  afterMs: fc.nat({ max: 1200 }),
});
