import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type EventPosition, FIRST_POSITION } from '@sightline/core/events/stored-event';
import type {
  DueAttempt,
  DuePosition,
  HeldWebhook,
  HoldRequest,
  HoldResult,
} from '@sightline/core/webhooks/delivery-queue';
import { RegisteredWebhooks } from '../../support/fixtures/registered-webhooks.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';
import { withClient } from '../../support/servers/test-server.ts';

let store: StoreFixture;

beforeAll(async () => {
  store = await openStoreFixture();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

/** A request that is limited only as given. */
function requestOf(limits: Partial<HoldRequest>): HoldRequest {
  const failing = { limit: 99, share: 99, after: 3 };
  const read = { after: null, read: 99 };
  return Object.assign(
    read,
    { most: 99, limit: 99, share: 99, failing, held: [], seconds: 60 },
    limits,
  );
}

/** Claims the webhook of an environment if it is due. */
async function holdOf({ scope }: SeededEnvironment): Promise<HeldWebhook | undefined> {
  const { webhooks } = await store.deliveries.hold(requestOf({}));
  return webhooks.find(({ environmentId }) => environmentId === scope.environmentId);
}

test('a webhook that is given back while it is woken is due', async () => {
  const { deliveries, consumers, outbox } = store;
  const home = await store.environment();
  const id = await new RegisteredWebhooks(store, home.scope).register('http://sink.test/');
  await home.identity('Ada');
  let batch = await outbox.read(FIRST_POSITION, 10);
  while (batch.events.length === 0) batch = await outbox.read(FIRST_POSITION, 10);
  const request = requestOf({ limit: 1, share: 1 });
  const { webhooks } = await deliveries.hold(request);
  const hasWoken = Promise.withResolvers<undefined>();
  const mayCommit = Promise.withResolvers<undefined>();
  const queued = consumers.take(
    {
      consumer: 'webhooks',
      consume: async ({ turns }, events) => {
        await turns.wake(events);
        hasWoken.resolve(undefined);
        await mayCommit.promise;
      },
    },
    batch,
  );
  await hasWoken.promise;
  const released = deliveries.release(webhooks[0]!, webhooks[0]!.position);
  await Promise.race([released, sleep(200)]);
  mayCommit.resolve(undefined);
  await Promise.all([queued, released]);
  expect(await deliveries.hold(request)).toMatchObject({ webhooks: [{ id }] });
});

test('a webhook that is given back is due only if something has come that it wants', async () => {
  const { deliveries } = store;
  const home = await store.environment();
  await new RegisteredWebhooks(store, home.scope).register('http://sink.test/');
  await store.query(`UPDATE webhooks SET events = '{job.done}' WHERE environment_id = $1`, [
    home.scope.environmentId,
  ]);
  const hold = () => holdOf(home);
  const held = await hold();
  await home.identity('Ada');
  await deliveries.release(held!, held!.position);
  expect(await hold()).toBeUndefined();
  await store.query(`UPDATE webhooks SET events = '{}' WHERE environment_id = $1`, [
    home.scope.environmentId,
  ]);
  await store.query('UPDATE webhook_turns SET due_at = now() WHERE environment_id = $1', [
    home.scope.environmentId,
  ]);
  const again = await hold();
  await deliveries.release(again!, again!.position);
  expect(await hold()).toBeDefined();
});

test('events are read by their number and by the bytes of their messages, one at least', async () => {
  const { deliveries, outbox } = store;
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
  const held = (await holdOf(home))!;
  const read = (limit: number, bytes: number, after = held.position) =>
    deliveries.events(held, { after, limit, bytes });
  while ((await read(9, 1e9)).events.length < 4) await sleep(20);
  const one = await read(1, 1);
  expect(one).toMatchObject({ events: [{ position: one.end }], hasMore: true });
  const length = one.events[0]!.data.length + 200;
  expect(await read(9, 1)).toMatchObject({ events: { length: 1 }, hasMore: true });
  expect(await read(9, 2 * length)).toMatchObject({ events: { length: 2 }, hasMore: true });
  expect(await read(3, 9 * length)).toMatchObject({ events: { length: 3 }, hasMore: true });
  expect(await read(9, 9 * length, one.end)).toMatchObject({
    events: { length: 3 },
    hasMore: false,
  });
  await store.query(`UPDATE webhooks SET events = '{job.done}' WHERE environment_id = $1`, [
    home.scope.environmentId,
  ]);
  const all = await outbox.read(FIRST_POSITION, 1_000);
  const last = all.events.findLast(({ environmentId }) => environmentId === held.environmentId)!;
  expect(await read(9, 1)).toEqual({ events: [], end: last.position, hasMore: false });
});

test('a message is made from its event, and sent again with the same bytes', async () => {
  const { deliveries, database } = store;
  const home = await store.environment();
  await new RegisteredWebhooks(store, home.scope).register('http://sink.test/');
  await home.identity('Ada');
  let held = (await holdOf(home))!;
  const read = () => deliveries.events(held, { after: held.position, limit: 9, bytes: 1e6 });
  while ((await read()).events.length === 0) await sleep(20);
  const { events, end } = await read();
  const [event] = events;
  const { position, eventId } = event!;
  const made = { position, eventId, event: event!.event, attempt: 1, wasQueued: false };
  const answer = { ok: true, statusCode: 204, durationMs: 1, error: null, nextAttemptAt: null };
  const record = { made: [{ ...made, ...answer, startedAt: new Date() }], queued: [] };
  await deliveries.record(held, { ...record, position: end, disabled: null });
  await deliveries.release(held, end);
  const id = held.id;
  const message = await database.withScope(home.scope, async ({ webhooks }) => {
    const [delivery] = await webhooks.deliveries(id, 1);
    return webhooks.message(id, delivery!.id);
  });
  expect(message).toMatchObject({ position, delivery: { eventId } });
  expect(JSON.parse(Buffer.from(message!.body!).toString())).toEqual({
    event: 'identity.created',
    data: JSON.parse(event!.data) as unknown,
    id: eventId,
    created_at: event!.createdAt.toISOString(),
  });
  const again = { ...message!, body: message!.body! };
  await database.withEntities({ ...home.scope, locks: [] }, ({ webhooks }) =>
    webhooks.sendAgain(id, again),
  );
  held = (await holdOf(home))!;
  const [queued] = await deliveries.first(held, { after: null, limit: 9, bytes: 1e6 });
  expect(queued).toMatchObject({ position, eventId, attempt: 1 });
  expect(Buffer.from(queued!.body)).toEqual(Buffer.from(again.body));
  await store.query('DELETE FROM outbox WHERE environment_id = $1', [home.scope.environmentId]);
  await store.query('DELETE FROM webhook_attempts WHERE webhook_id = $1', [id]);
  const later = await database.withScope(home.scope, ({ webhooks }) =>
    webhooks.message(id, message!.delivery.id),
  );
  expect(later!.body).toBeNull();
});

/** Creates environments with due webhooks, and counts which of them a request reserves. */
async function seedDue(...counts: readonly number[]) {
  // Webhooks of other tests are not due.
  await store.query('UPDATE webhook_turns SET due_at = NULL');
  const environments: SeededEnvironment[] = [];
  for (const count of counts) {
    const home = await store.environment();
    const webhooks = new RegisteredWebhooks(store, home.scope);
    for (let i = 0; i < count; i++) await webhooks.register(`http://sink.test/${i}`);
    environments.push(home);
  }
  const of = environments.map(({ scope }) => scope.environmentId);
  const hold = async (limits: Partial<HoldRequest>) => {
    const { webhooks } = await store.deliveries.hold(requestOf(limits));
    return of.map((id) => webhooks.filter(({ environmentId }) => environmentId === id).length);
  };
  const free = () => store.query('UPDATE webhook_turns SET token = NULL, lease_until = NULL');
  return { of, hold, free };
}

test('an environment has its share, and the others find room beside it', async () => {
  const { of, hold } = await seedDue(7, 1);
  const held = (webhooks: number) => [{ environmentId: of[0]!, webhooks, failing: 0 }];
  expect(await hold({ share: 3 })).toEqual([3, 1]);
  expect(await hold({ share: 3, held: held(3) })).toEqual([0, 0]);
  expect(await hold({ share: 3, held: held(1) })).toEqual([2, 0]);
});

test('environments take turns, and some places stay free for those that come later', async () => {
  const { of, hold, free } = await seedDue(9, 9, 9, 1);
  // The fourth level would leave less than an environment has by then.
  expect(await hold({ limit: 12 })).toEqual([3, 3, 3, 1]);
  await free();
  // The environment with the fewest held webhooks comes first, although its webhook became due last.
  const held = of.slice(0, 3).map((environmentId) => ({ environmentId, webhooks: 1, failing: 0 }));
  expect(await hold({ limit: 2, held })).toEqual([0, 0, 0, 1]);
});

test('webhooks that keep failing have a share of their own, and others go before them', async () => {
  const { of, hold, free } = await seedDue(6, 6, 2);
  await store.query('UPDATE webhook_turns SET failures = 3 WHERE environment_id = ANY ($1)', [
    of.slice(0, 2),
  ]);
  const failing = { limit: 3, share: 2, after: 3 };
  const healthy = await hold({ failing });
  expect(healthy[2]).toBe(2);
  expect(healthy.slice(0, 2).toSorted()).toEqual([1, 2]);
  await free();
  const held = [{ environmentId: of[0]!, webhooks: 2, failing: 2 }];
  expect(await hold({ failing, held })).toEqual([0, 2, 2]);
  await free();
  expect(await hold({ failing: { ...failing, after: 4 } })).toEqual([6, 6, 2]);
});

test('of the webhooks of an environment, the one that has waited longest comes first, also after a failure', async () => {
  const { of, hold } = await seedDue(9);
  const [oldest] = await store.query<{ id: number }>(
    `UPDATE webhook_turns SET failures = 2, due_at = now() - interval '1 second'
     WHERE (environment_id, webhook_id) IN (
       SELECT environment_id, max(webhook_id) FROM webhook_turns
       WHERE environment_id = $1 GROUP BY environment_id)
     RETURNING webhook_id AS id`,
    [of[0]],
  );
  const { webhooks } = await store.deliveries.hold(requestOf({ most: 1 }));
  expect(webhooks).toMatchObject([oldest!]);
  expect(await hold({})).toEqual([8]);
});

test('pages begin with the webhook that became due last, and together have each one once', async () => {
  const { of } = await seedDue(3, 2);
  // Several webhooks may have become due at the same time.
  await store.query('UPDATE webhook_turns SET due_at = now() WHERE environment_id = $1', [of[0]]);
  const pages: number[][] = [];
  let after: DuePosition | null = null;
  do {
    const request = requestOf({ after, read: 2 });
    const { webhooks, end }: HoldResult = await store.deliveries.hold(request);
    pages.push(webhooks.map(({ environmentId }) => environmentId).toSorted());
    after = end;
  } while (after !== null);
  const [first, second] = of;
  expect(pages).toEqual([[first, first], [first, second], [second]]);
});

test('webhooks that another dispatcher is reserving are passed over', async () => {
  const { of, hold } = await seedDue(9);
  await withClient(store.connection, async (client) => {
    await client.query('BEGIN');
    const lock =
      'SELECT FROM webhook_turns WHERE environment_id = $1 ORDER BY due_at LIMIT 4 FOR UPDATE';
    await client.query(lock, [of[0]]);
    expect(await hold({ most: 4 })).toEqual([4]);
    await client.query('ROLLBACK');
  });
  expect(await hold({})).toEqual([5]);
});

test('a webhook that was switched off is not due', async () => {
  const { deliveries } = store;
  const { of } = await seedDue(2);
  const home = { environmentId: of[0]! };
  const webhooks = new RegisteredWebhooks(store, home);
  const due = () =>
    store.query<{ id: number }>('SELECT webhook_id AS id FROM webhook_turns WHERE due_at <= now()');
  const { webhooks: held } = await deliveries.hold(requestOf({}));
  const [gone, off] = held as [HeldWebhook, HeldWebhook];
  await webhooks.change(off.id, { isActive: false });
  expect(await due()).toEqual([{ id: gone.id }]);
  await store.database.withEntities({ ...home, locks: [] }, (tx) =>
    tx.emit({ event: 'detections_deleted', facts: { detections: [] } }),
  );
  const { position } = gone;
  await deliveries.record(gone, { made: [], queued: [], position, disabled: 'gone' });
  await deliveries.release(gone, position);
  expect(await due()).toEqual([]);
  await webhooks.change(off.id, { isActive: true });
  expect(await due()).toEqual([{ id: off.id }]);
});

test('a webhook that waits for its turn is not written when it is woken', async () => {
  const { of } = await seedDue(1);
  const version = () =>
    store.query('SELECT ctid, due_at FROM webhook_turns WHERE environment_id = $1', [of[0]]);
  const before = await version();
  const home = { environmentId: of[0]! };
  await store.database.withEntities({ ...home, locks: [] }, (tx) =>
    tx.emit({ event: 'detections_deleted', facts: { detections: [] } }),
  );
  const isOurs = ({ environmentId }: { environmentId: number }) => environmentId === of[0];
  let batch = await store.outbox.read(FIRST_POSITION, 1_000);
  while (!batch.events.some(isOurs)) batch = await store.outbox.read(FIRST_POSITION, 1_000);
  await store.consumers.take(
    { consumer: 'webhooks', consume: ({ turns }, events) => turns.wake(events.filter(isOurs)) },
    batch,
  );
  expect(await version()).toEqual(before);
});

test('of all that waits a hundred thousand are counted', async () => {
  const home = await store.environment();
  const webhooks = new RegisteredWebhooks(store, home.scope);
  for (const path of ['one', 'two', 'three']) await webhooks.register(`http://sink.test/${path}`);
  await store.query(
    `INSERT INTO outbox (environment_id, event, version, data)
     SELECT $1, 'identity.deleted', 1, '{}' FROM generate_series(1, 40000)`,
    [home.scope.environmentId],
  );
  const { first } = await store.deliveries.state();
  await store.query('DELETE FROM webhooks WHERE environment_id = $1', [home.scope.environmentId]);
  expect(first).toBeGreaterThan(90_000);
  expect(first).toBeLessThanOrEqual(100_000);
});

test('what is recorded is queued, repeated, or gone', async () => {
  const { deliveries } = store;
  const home = await store.environment();
  await new RegisteredWebhooks(store, home.scope).register('http://sink.test/');
  const held = (await holdOf(home))!;
  const before = await deliveries.state();
  const body = new Uint8Array(100);
  const queuedOf = (id: number, attempt: number) => ({
    position: { xid: '1', id },
    eventId: randomUUID(),
    event: 'identity.created',
    body,
    attempt,
    dueAt: new Date(),
  });
  const left = [1, 2, 3].map((id) => queuedOf(id, 1));
  const position = { xid: '5', id: 5 };
  const nothing = { made: [], queued: [], position, disabled: null };
  await home.identity('Ada');
  expect(await deliveries.record(held, { ...nothing, queued: left })).toBe(true);
  const idsOf = (attempts: readonly DueAttempt[]) => attempts.map((each) => each.position.id);
  const first = (limit: number, bytes: number, after: EventPosition | null = null) =>
    deliveries.first(held, { after, limit, bytes }).then(idsOf);
  expect(await first(9, 1)).toEqual([1]);
  expect(await first(9, 250)).toEqual([1, 2]);
  expect(await first(9, 999, left[0]!.position)).toEqual([2, 3]);

  const made = left.slice(0, 2).map((each, at) => ({
    ...each,
    ok: at === 0,
    statusCode: at === 0 ? 204 : 500,
    durationMs: 1,
    error: at === 0 ? null : 'no',
    startedAt: new Date(),
    nextAttemptAt: at === 0 ? null : new Date(),
    wasQueued: true,
  }));
  const again = { ...left[1]!, attempt: 2 };
  expect(await deliveries.record(held, { ...nothing, made, queued: [again] })).toBe(true);
  expect(await first(9, 999)).toEqual([3]);
  const repeated = await deliveries.repeated(held, { limit: 9, bytes: 999 });
  expect(repeated).toMatchObject([
    { position: again.position, attempt: 2, eventId: again.eventId },
  ]);
  // The two pending deliveries are a queued delivery, and an event that the queue has not read yet.
  expect(await deliveries.state()).toMatchObject({
    first: before.first + 2,
    repeated: before.repeated + 1,
  });
  await deliveries.release(held, position);
  expect(await holdOf(home)).toMatchObject({ position, failures: { count: 1 } });
  expect(await deliveries.record(held, nothing)).toBe(false);
});

test('the kind of attempt that was not made last has the next turn', async () => {
  const { deliveries } = store;
  const home = await store.environment();
  await new RegisteredWebhooks(store, home.scope).register('http://sink.test/');
  const turns: string[] = [];
  for (const attempt of [1, 2, 1, 3]) {
    const held = (await holdOf(home))!;
    turns.push(held.turn);
    const made = {
      position: { xid: '1', id: 1 },
      eventId: randomUUID(),
      event: 'identity.created',
      attempt,
      ok: false,
      statusCode: null,
      durationMs: 1,
      error: 'no',
      startedAt: new Date(),
      nextAttemptAt: null,
      wasQueued: false,
    };
    const { position } = held;
    await deliveries.record(held, { made: [made], queued: [], position, disabled: null });
    await deliveries.release(held, position);
    await store.query('UPDATE webhook_turns SET due_at = now() WHERE environment_id = $1', [
      home.scope.environmentId,
    ]);
  }
  expect(turns).toEqual(['first', 'repeated', 'first', 'repeated']);
});

test('attempts are listed by the time of their beginning, in whichever order they were recorded', async () => {
  const home = await store.environment();
  const webhooks = new RegisteredWebhooks(store, home.scope);
  const id = await webhooks.register('http://sink.test/');
  const outcome = { statusCode: null, ok: false, durationMs: 1, error: 'no', nextAttemptAt: null };
  const about = { event: 'ping', attempt: 1 };
  for (const second of [3, 1, 5, 2, 4]) {
    const createdAt = new Date(Date.UTC(2026, 0, 1, 0, 0, second));
    const delivery = Object.assign({ eventId: randomUUID(), createdAt }, about, outcome);
    await store.database.withEntities({ ...home.scope, locks: [] }, (tx) =>
      tx.webhooks.noteDelivery(id, delivery),
    );
  }
  const listed = await webhooks.deliveries(id);
  expect(listed.map(({ createdAt }) => createdAt.getUTCSeconds())).toEqual([5, 4, 3, 2, 1]);
});
