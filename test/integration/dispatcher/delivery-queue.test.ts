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

test('attempts are read by their number and by the bytes of their messages, one at least', async () => {
  const { deliveries, consumers, outbox } = store;
  await store.query('DELETE FROM outbox');
  const home = await store.environment();
  await new RegisteredWebhooks(store, home.scope).register('http://sink.test/');
  const detections = Array.from({ length: 1_000 }, (_, i) => ({
    detectionId: i + 1,
    externalRef: null,
  }));
  const large = { event: 'detections_deleted', facts: { detections } } as const;
  await store.database.withEntities({ ...home.scope, locks: [] }, (tx) =>
    tx.emit(large, large, large, large),
  );
  let batch = await outbox.read(FIRST_PLACE, 10);
  while (batch.events.length < 4) batch = await outbox.read(FIRST_PLACE, 10);
  const consumption = {
    consumer: 'webhooks',
    consume: ({ messages }, events) => messages.queue(events.map(messageOf)),
  } as const satisfies Parameters<typeof consumers.take>[0];
  await consumers.take(consumption, batch);
  const held = (await deliveries.hold({ limit: 9, without: [], seconds: 60 })).find(
    ({ environmentId }) => environmentId === home.scope.environmentId,
  )!;
  const count = async (limit: number, bytes: number, after = FIRST_PLACE) =>
    (await deliveries.first(held, { after, limit, bytes })).length;
  const [one] = await deliveries.first(held, { after: FIRST_PLACE, limit: 1, bytes: 1 });
  const { length } = one!.body;
  expect(await count(9, 1)).toBe(1);
  expect(await count(9, 2 * length + 1)).toBe(2);
  expect(await count(3, 9 * length)).toBe(3);
  expect(await count(9, 9 * length, one!.place)).toBe(3);
  await store.query('UPDATE webhook_attempts SET attempt = 2');
  expect(await deliveries.repeated(held, { limit: 9, bytes: 2 * length + 1 })).toHaveLength(2);
});
