import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { messageOf } from '@sightline/dispatcher/message-of';
import { FIRST_PLACE } from '@sightline/core/events/stored-event';
import { RegisteredWebhooks } from '../../support/fixtures/registered-webhooks.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;

beforeAll(async () => {
  store = await openStoreFixture();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

test('a webhook that is given back while something is queued for it is due', async () => {
  const { deliveries, consumers, outbox } = store;
  const home = await store.environment();
  const id = await new RegisteredWebhooks(store, home.scope).register('http://sink.test/');
  await home.identity('Ada');
  let batch = await outbox.read(FIRST_PLACE, 10);
  while (batch.events.length === 0) batch = await outbox.read(FIRST_PLACE, 10);
  const wanted = { limit: 1, without: [], seconds: 60 };
  await store.query('UPDATE webhook_turns SET due_at = now()');
  const [held] = await deliveries.hold(wanted);
  const hasQueued = Promise.withResolvers<undefined>();
  const mayCommit = Promise.withResolvers<undefined>();
  const queued = consumers.take(
    {
      consumer: 'webhooks',
      consume: async ({ messages }, events) => {
        await messages.queue(events.map(messageOf));
        hasQueued.resolve(undefined);
        await mayCommit.promise;
      },
    },
    batch,
  );
  await hasQueued.promise;
  const released = deliveries.release(held!);
  await Promise.race([released, sleep(200)]);
  mayCommit.resolve(undefined);
  await Promise.all([queued, released]);
  expect(await deliveries.hold(wanted)).toMatchObject([{ id }]);
});
