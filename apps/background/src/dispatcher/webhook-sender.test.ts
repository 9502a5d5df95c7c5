import { createHook } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { StoredEvent } from '@sightline/core/events/stored-event';
import type {
  AttemptRecord,
  DeliveryQueue,
  HeldWebhook,
} from '@sightline/core/webhooks/delivery-queue';
import type { SendMessage, SendResult } from '@sightline/core/webhooks/send-message';
import type { DisabledReason } from '@sightline/core/webhooks/webhook';
import { WebhookSender } from './webhook-sender.ts';

const HELD: HeldWebhook = {
  environmentId: 1,
  id: 1,
  token: 'a token',
  url: 'http://sink.test/',
  secrets: [],
  failures: null,
  position: { xid: '1', id: 0 },
  turn: 'first',
};

const stored = (id: number): StoredEvent => ({
  environmentId: 1,
  position: { xid: '1', id },
  previous: null,
  eventId: String(id),
  event: 'identity.created',
  version: 1,
  data: JSON.stringify({ identity_id: id }),
  createdAt: new Date(),
});

/** A last page of the outbox with these events. */
const page = (events: readonly StoredEvent[], end: number) => ({
  events,
  end: { xid: '1', id: end },
  hasMore: false,
});

const SHARE = () => 1_000_000;
const OBSERVER = { attempted: () => undefined, switchedOff: () => undefined };
const SECRETS = { seal: () => new Uint8Array(), open: () => '' };
const DELIVERED = { ok: true, statusCode: 204, durationMs: 1, error: null, retryAfterMs: null };

/** Counts the promises that the process creates within some milliseconds. */
async function promisesWithin(ms: number): Promise<number> {
  let count = 0;
  const init = (_id: number, type: string): void => {
    if (type === 'PROMISE') count++;
  };
  const hook = createHook({ init }).enable();
  await sleep(ms);
  hook.disable();
  return count;
}

test('while all requests of an endpoint hang, no message is read and no further promise waits', async () => {
  let reads = 0;
  const queue = {
    repeated: () => Promise.resolve([]),
    first: () => Promise.resolve([]),
    events: () => {
      const events = reads++ === 0 ? Array.from({ length: 20 }, (_, i) => stored(i)) : [];
      return Promise.resolve(page(events, 20));
    },
    record: () => Promise.resolve(true),
  } as unknown as DeliveryQueue;
  const abort = new AbortController();
  let sent = 0;
  const sender = new WebhookSender(
    {
      queue,
      secrets: SECRETS,
      send: () => {
        sent++;
        return new Promise((_, reject) => {
          abort.signal.addEventListener('abort', () => reject(new Error('given up')));
        });
      },
      observer: OBSERVER,
      share: SHARE,
    },
    HELD,
    abort.signal,
  );
  const run = sender.run();
  await sleep(150);
  // Each promise that waits for a request stays in memory until the request ends.
  expect(await promisesWithin(300)).toBeLessThan(10);
  // An endpoint without a success gets one request at a time.
  expect(sent).toBe(1);
  expect(reads).toBe(1);
  abort.abort();
  await expect(run).rejects.toThrow();
});

/** A queue with these events, which keeps what is recorded. */
function queueOf(events: readonly StoredEvent[], records: AttemptRecord[] = []): DeliveryQueue {
  let isRead = false;
  return {
    repeated: () => Promise.resolve([]),
    first: () => Promise.resolve([]),
    events: () => {
      const read = page(isRead ? [] : events, events.length);
      isRead = true;
      return Promise.resolve(read);
    },
    record: (_held: HeldWebhook, record: AttemptRecord) => {
      records.push(record);
      return Promise.resolve(true);
    },
    release: () => Promise.resolve(),
  } as unknown as DeliveryQueue;
}

/** Sends messages as soon as the test answers them, in their order. */
function openEndpoint() {
  const waiting: ((result: SendResult) => void)[] = [];
  const send: SendMessage = () => new Promise((resolve) => waiting.push(resolve));
  const answer = async (result: SendResult): Promise<void> => {
    waiting.shift()!(result);
    await sleep(0);
  };
  return { send, answer, inFlight: () => waiting.length };
}

test('an endpoint gets one more request at a time after each success, and one after a failure', async () => {
  const { send, answer, inFlight } = openEndpoint();
  const queue = queueOf(Array.from({ length: 60 }, (_, i) => stored(i + 1)));
  const deps = { queue, secrets: SECRETS, send, observer: OBSERVER, share: SHARE };
  const run = new WebhookSender(deps, HELD, new AbortController().signal).run();
  while (inFlight() === 0) await sleep(1);
  const seen = [inFlight()];
  for (let n = 0; n < 9; n++) {
    await answer(DELIVERED);
    seen.push(inFlight());
  }
  expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 8, 8]);
  await answer({ ...DELIVERED, ok: false, statusCode: 500 });
  expect(inFlight()).toBe(7);
  while (inFlight() > 1) await answer({ ...DELIVERED, ok: false, statusCode: 500 });
  await answer({ ...DELIVERED, ok: false, statusCode: 500 });
  expect(inFlight()).toBe(1);
  while (inFlight() > 0) await answer(DELIVERED);
  await run;
});

test.each([
  ['first', ['1', 'again 8', '2', 'again 9', '3', '4']],
  ['repeated', ['again 8', '1', 'again 9', '2', '3', '4']],
] as const)(
  'due repetitions take turns with a backlog of first attempts, beginning with the kind %s',
  async (turn, expected) => {
    const { send, answer, inFlight } = openEndpoint();
    const sent: string[] = [];
    const repeated = ['again 8', 'again 9'].map((eventId) => ({
      position: { xid: '1', id: 0 },
      eventId,
      event: 'identity.created',
      body: new Uint8Array(),
      attempt: 2,
    }));
    const queue = {
      ...queueOf([1, 2, 3, 4].map(stored)),
      repeated: () => Promise.resolve(repeated),
    };
    const deps = {
      queue,
      secrets: SECRETS,
      send: (...message: Parameters<SendMessage>) => {
        sent.push(message[0].eventId);
        return send(...message);
      },
      observer: OBSERVER,
      share: SHARE,
    };
    const run = new WebhookSender(deps, { ...HELD, turn }, new AbortController().signal).run();
    for (const eventId of expected) {
      while (inFlight() === 0) await sleep(1);
      expect(sent.at(-1)).toBe(eventId);
      await answer({ ...DELIVERED, ok: false, statusCode: 500 });
    }
    await run;
    expect(sent).toHaveLength(expected.length);
  },
);

test('a webhook is switched off once, although several requests find it gone', async () => {
  const { send, answer, inFlight } = openEndpoint();
  const records: AttemptRecord[] = [];
  const queue = queueOf(
    Array.from({ length: 9 }, (_, i) => stored(i + 1)),
    records,
  );
  const switchedOff: DisabledReason[] = [];
  const observer = {
    ...OBSERVER,
    switchedOff: (reason: DisabledReason) => switchedOff.push(reason),
  };
  const deps = { queue, secrets: SECRETS, send, observer, share: SHARE };
  const run = new WebhookSender(deps, HELD, new AbortController().signal).run();
  while (inFlight() === 0) await sleep(1);
  await answer(DELIVERED);
  await answer(DELIVERED);
  const gone = { ...DELIVERED, ok: false, statusCode: 410 };
  await answer(gone);
  while (records.every(({ disabled }) => disabled === null)) await sleep(5);
  await answer(gone);
  await answer({ ...gone, statusCode: 500 });
  await run;
  expect(switchedOff).toEqual(['gone']);
  expect(records.map(({ disabled }) => disabled)).toEqual(['gone', null]);
  // The webhook is off, so no message waits for it.
  expect(records[1]).toMatchObject({
    made: [{ statusCode: 410 }, { statusCode: 500 }],
    queued: [],
  });
});

test('the position goes past a message that hangs, which is queued', async () => {
  const records: AttemptRecord[] = [];
  const recorded = Promise.withResolvers<undefined>();
  let released: unknown = null;
  let isRead = false;
  const queue = {
    repeated: () => Promise.resolve([]),
    first: () => Promise.resolve([]),
    events: () => {
      const read = isRead ? page([], 9) : page([stored(1), stored(2), stored(3)], 9);
      isRead = true;
      return Promise.resolve(read);
    },
    record: (_held: HeldWebhook, record: AttemptRecord) => {
      records.push(record);
      recorded.resolve(undefined);
      return Promise.resolve(true);
    },
    release: (_held: HeldWebhook, position: unknown) => {
      released = position;
      return Promise.resolve();
    },
  } as unknown as DeliveryQueue;
  const hanging = Promise.withResolvers<undefined>();
  const sender = new WebhookSender(
    {
      queue,
      secrets: SECRETS,
      send: async ({ eventId }) => {
        if (eventId === '2') await hanging.promise;
        return DELIVERED;
      },
      observer: OBSERVER,
      share: SHARE,
    },
    HELD,
    new AbortController().signal,
  );
  const run = sender.run();
  await recorded.promise;
  hanging.resolve(undefined);
  await run;
  const [before, after] = records;
  expect(before).toMatchObject({
    made: [{ eventId: '1', wasQueued: false }, { eventId: '3' }],
    queued: [{ eventId: '2', attempt: 1 }],
    position: { id: 3 },
  });
  expect(after).toMatchObject({ made: [{ eventId: '2', wasQueued: true }], queued: [] });
  // The position lies after the last sent event, because the outbox ends with an event to which the webhook does not
  // subscribe.
  expect(released).toEqual({ xid: '1', id: 9 });
});
