import { expect, jest, test } from '@jest/globals';
import type { ConsumerStore } from '@sightline/core/database/consumer-store';
import type { EventStream } from '@sightline/core/events/event-stream';
import type {
  DeliveryQueue,
  DuePosition,
  HeldWebhook,
  HoldRequest,
  HoldResult,
} from '@sightline/core/webhooks/delivery-queue';
import { createLogger } from '@sightline/platform/logging/logger';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { HeldWebhooks } from './held-webhooks.ts';
import { createDispatcherRole } from './role.ts';

const SECRETS = { seal: () => new Uint8Array(), open: () => '' };

const dueWebhooks = (count: number): readonly HeldWebhook[] =>
  Array.from({ length: count }, (_, id) => ({
    environmentId: 1,
    id,
    token: `token ${id}`,
    url: 'http://sink.test/',
    secrets: [],
    failures: null,
    turn: 'first',
    position: { xid: '1', id: 0 },
  }));

const positionOf = (id: number): DuePosition => ({ dueAt: new Date(id), environmentId: 1, id });

/** Answers claims by a script of how many webhooks each reserves and where its page ends. */
function scripted(script: readonly (readonly [number, DuePosition | null])[]) {
  const read: (DuePosition | null)[] = [];
  const queue = {
    hold: ({ after }: HoldRequest): Promise<HoldResult> => {
      const [count, end] = script[read.length]!;
      read.push(after);
      return Promise.resolve({ webhooks: dueWebhooks(count), end });
    },
    repeated: () => Promise.reject(new Error('no database')),
  } as unknown as DeliveryQueue;
  const held = new HeldWebhooks({
    queue,
    secrets: SECRETS,
    send: () => Promise.reject(new Error('no request')),
    observer: { attempted: () => undefined, switchedOff: () => undefined },
    failed: () => undefined,
  });
  return { held, read };
}

test('claims read all due webhooks in rounds, until a round has reserved all that have room', async () => {
  const { held, read } = scripted([
    [8, positionOf(1)],
    [3, positionOf(2)],
    [0, null],
    [2, positionOf(3)],
    [0, null],
  ]);
  const more: boolean[] = [];
  while (more.length < 5) more.push((await held.take(new AbortController().signal)).more);
  // The first round ends with a claim that reserved nothing, but one before it left some.
  expect(more).toEqual([true, true, true, true, false]);
  expect(read).toEqual([null, positionOf(1), positionOf(2), null, positionOf(3)]);
});

test('webhooks that become due during a round are read next, and the round goes on all the same', async () => {
  const { held, read } = scripted([
    [0, positionOf(1)],
    [1, positionOf(9)],
    [0, positionOf(2)],
    [1, positionOf(9)],
    [0, null],
    [0, null],
  ]);
  const more: boolean[] = [];
  while (more.length < 6) {
    if (more.length < 5) held.expectDue();
    more.push((await held.take(new AbortController().signal)).more);
  }
  expect(read).toEqual([null, null, positionOf(1), null, positionOf(2), null]);
  expect(more).toEqual([true, true, true, true, false, false]);
});

test('reservations are renewed while a claim waits for its webhooks to start', async () => {
  jest.useFakeTimers();
  const reads = Promise.withResolvers<never>();
  reads.promise.catch(() => undefined);
  const webhooks = dueWebhooks(8);
  const renewed: (readonly string[])[] = [];
  let claims = 0;
  const deliveries = {
    hold: () => {
      claims++;
      return Promise.resolve({ webhooks, end: null });
    },
    repeated: () => reads.promise,
    renew: (tokens: readonly string[]) => {
      renewed.push(tokens);
      return Promise.resolve(tokens);
    },
    prune: () => Promise.resolve(0),
  } as unknown as DeliveryQueue;
  const role = createDispatcherRole({
    logger: createLogger({ level: 'silent' }),
    operations: { endpoint: null, serve: () => undefined },
    registry: createMetricsRegistry(),
    consumers: { behind: () => Promise.resolve([]) } as unknown as ConsumerStore,
    deliveries,
    events: { listen: () => Promise.resolve() } as unknown as EventStream,
    secrets: SECRETS,
    endpoints: () => [],
  });
  try {
    await role.start(new AbortController().signal);
    await jest.advanceTimersByTimeAsync(9_000);
    expect(claims).toBe(1);
    expect(renewed).toEqual([webhooks, webhooks].map((held) => held.map(({ token }) => token)));
  } finally {
    jest.useRealTimers();
    reads.reject(new Error('the test is over'));
    await role[Symbol.asyncDispose]();
  }
});
