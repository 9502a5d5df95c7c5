import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ConsumeEvents } from '@sightline/core/database/consumer-store';
import { FIRST_PLACE, type StoredEvent } from '@sightline/core/events/stored-event';
import type { HeldWebhook } from '@sightline/core/webhooks/delivery-queue';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;

beforeAll(async () => {
  store = await openStoreFixture();
  home = await store.environment();
  await store.database.withEntities({ ...home.scope, locks: [] }, (tx) =>
    tx.webhooks.create({ url: 'http://127.0.0.1:9/', events: [], label: null, secret: null }),
  );
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

async function emit(identityId: number): Promise<void> {
  await store.database.withEntities({ ...home.scope, locks: [] }, (tx) =>
    tx.emit({ event: 'identity_deleted', facts: { identityId } }),
  );
}

const queue: ConsumeEvents = ({ messages }, events) => messages.queue(events.map(messageOf));

function messageOf({ environmentId, place, eventId, event }: StoredEvent) {
  return { environmentId, place, eventId, event, body: Buffer.from(randomUUID()) };
}

/** Consumes all there is in the way that is given. */
async function consume(how: ConsumeEvents): Promise<void> {
  const { environmentId } = home.scope;
  const consumption = { consumer: 'webhooks', consume: how } as const;
  while ((await store.consumers.behind('webhooks', 0)).includes(environmentId)) {
    await store.consumers.catchUp(consumption, [environmentId]);
  }
}

async function hold(): Promise<HeldWebhook | undefined> {
  const [held] = await store.deliveries.hold({ limit: 1, without: [], seconds: 15 });
  return held;
}

test('what is queued while the webhook is given back makes it due again', async () => {
  await emit(1);
  await consume(queue);
  const held = (await hold())!;
  const [attempt] = await store.deliveries.first(held, { after: FIRST_PLACE, limit: 9 });
  const { place, eventId, event } = attempt!;
  const result = { ok: true, statusCode: 204, durationMs: 1, error: null };
  const made = { place, eventId, event, attempt: 1, beganAt: new Date(), nextAttemptAt: null };
  await store.deliveries.record(held, [{ ...made, ...result }], null);
  await emit(2);
  let released: Promise<void> | undefined;
  await consume(async (transaction, events) => {
    await queue(transaction, events);
    released ??= store.deliveries.release(held);
    // Time enough to give it back, if nothing keeps it from that.
    await Promise.race([released, sleep(300)]);
  });
  await released;
  const again = await hold();
  expect(again).toMatchObject({ id: held.id });
  expect(await store.deliveries.first(again!, { after: FIRST_PLACE, limit: 9 })).toHaveLength(1);
});
