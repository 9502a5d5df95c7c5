import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { StoredEvent } from '@sightline/core/events/stored-event';
import type {
  AttemptRecord,
  DeliveryQueue,
  HeldWebhook,
} from '@sightline/core/webhooks/delivery-queue';
import { WebhookSender } from './webhook-sender.ts';

const HELD: HeldWebhook = {
  environmentId: 1,
  id: 1,
  token: 'a token',
  url: 'http://sink.test/',
  secrets: [],
  failures: null,
  place: { xid: '1', id: 0 },
};

const stored = (id: number): StoredEvent => ({
  environmentId: 1,
  place: { xid: '1', id },
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

const OBSERVER = { attempted: () => undefined, switchedOff: () => undefined };
const SECRETS = { seal: () => new Uint8Array(), open: () => '' };
const DELIVERED = { ok: true, statusCode: 204, durationMs: 1, error: null, retryAfterMs: null };

test('while all requests of an endpoint hang, the database is not asked for more', async () => {
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
    },
    HELD,
    abort.signal,
  );
  const run = sender.run();
  await sleep(150);
  expect(sent).toBe(8);
  expect(reads).toBe(1);
  abort.abort();
  await expect(run).rejects.toThrow();
});

test('the place goes past a message that hangs, which is queued', async () => {
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
    release: (_held: HeldWebhook, place: unknown) => {
      released = place;
      return Promise.resolve();
    },
  } as unknown as DeliveryQueue;
  const hanging = Promise.withResolvers<undefined>();
  const sender = new WebhookSender(
    {
      queue,
      secrets: SECRETS,
      send: async ({ eventId }) => {
        if (eventId === '1') await hanging.promise;
        return DELIVERED;
      },
      observer: OBSERVER,
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
    made: [{ eventId: '2', wasQueued: false }, { eventId: '3' }],
    queued: [{ eventId: '1', attempt: 1 }],
    place: { id: 3 },
  });
  expect(after).toMatchObject({ made: [{ eventId: '1', wasQueued: true }], queued: [] });
  // The position lies after the last sent event, because the outbox ends with an event to which the webhook does not
  // subscribe.
  expect(released).toEqual({ xid: '1', id: 9 });
});
