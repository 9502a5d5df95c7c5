import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type {
  DeliveryQueue,
  DueAttempt,
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
};

const attempt = (id: number): DueAttempt => ({
  place: { xid: '1', id },
  eventId: String(id),
  event: 'identity.created',
  attempt: 1,
  body: new TextEncoder().encode(JSON.stringify({ data: { identity_id: id } })),
});

test('while all requests of an endpoint hang, the database is not asked for more', async () => {
  let reads = 0;
  const queue = {
    repeated: () => Promise.resolve([]),
    first: () =>
      Promise.resolve(reads++ === 0 ? Array.from({ length: 20 }, (_, i) => attempt(i)) : []),
    record: () => Promise.resolve(true),
  } as unknown as DeliveryQueue;
  const abort = new AbortController();
  let sent = 0;
  const sender = new WebhookSender(
    {
      queue,
      secrets: { seal: () => new Uint8Array(), open: () => '' },
      send: () => {
        sent++;
        return new Promise((_, reject) => {
          abort.signal.addEventListener('abort', () => reject(new Error('given up')));
        });
      },
      observer: { attempted: () => undefined, switchedOff: () => undefined },
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
