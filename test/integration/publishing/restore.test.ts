import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { EmbeddedEventStream } from '@sightline/events/embedded/embedded-event-stream';
import { createLogger } from '@sightline/platform/logging/logger';
import { migrate } from '@sightline/postgres/migrate';
import { createProjectorRole } from '@sightline/background/projector/role';
import { RegisteredWebhooks } from '../../support/fixtures/registered-webhooks.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { startDispatcher } from '../../support/fixtures/start-dispatcher.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';
import { openWebhookSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';

let store: StoreFixture;
let sink: WebhookSink;
let isRefusing = false;

beforeAll(async () => {
  store = await openStoreFixture();
  sink = await openWebhookSink(() => ({ status: isRefusing ? 500 : 204 }));
});
afterAll(async () => {
  await sink[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

/** Starts a projector and a dispatcher. */
async function startConsumers(): Promise<AsyncDisposable> {
  const resources = new AsyncDisposableStack();
  resources.use(await startDispatcher(store));
  const { consumers, outbox } = store;
  const events = new EmbeddedEventStream(outbox, 20);
  const logger = createLogger({ level: 'silent' });
  const projector = resources.use(createProjectorRole({ logger, consumers, events }));
  await projector.start(new AbortController().signal);
  return resources;
}

/** Raises all transaction ids, as if the rows came from a cluster with a higher counter. */
async function comeFromElsewhere(by: number): Promise<void> {
  const moved = `(xid::text::bigint + ${by})::text::xid8`;
  await store.query(`UPDATE outbox SET xid = ${moved}`);
  await store.query(`UPDATE consumer_positions SET xid = ${moved} WHERE id > 0`);
  await store.query(`UPDATE webhook_attempts SET xid = ${moved}`);
  await store.query(`UPDATE webhook_turns SET xid = ${moved}`);
  await store.query(
    `UPDATE webhooks SET active_from = (
       SELECT (pg_snapshot_xmin(active_from)::text::bigint + ${by}) || ':'
         || (pg_snapshot_xmax(active_from)::text::bigint + ${by}) || ':'
         || coalesce(string_agg((x::text::bigint + ${by})::text, ',' ORDER BY x), '')
       FROM pg_snapshot_xip(active_from) AS x)::pg_snapshot`,
  );
}

const feedOf = async ({ scope }: SeededEnvironment) =>
  (await store.database.withScope(scope, (tx) => tx.feed.after(0, 100))).items;

async function untilFeedHas(count: number, home: SeededEnvironment) {
  let items = await feedOf(home);
  while (items.length < count) {
    await sleep(20);
    items = await feedOf(home);
  }
  return items.map(({ id, entityId }) => ({ id, entityId }));
}

const receivedBy = (path: string) =>
  sink.received
    .filter((message) => message.path === path)
    .map(({ body }) => (JSON.parse(body.toString()) as { data: { identity_id: number } }).data)
    .map(({ identity_id: id }) => id);

async function epoch(): Promise<string> {
  const [row] = await store.query<{ epoch: string }>(
    'SELECT outbox_epoch AS epoch FROM installation',
  );
  return row!.epoch;
}

test('after a restore elsewhere, feed and webhooks go on where they were', async () => {
  const home = await store.environment();
  const quiet = await store.environment();
  const webhooks = new RegisteredWebhooks(store, home.scope);
  await webhooks.register(`${sink.url}/early`);
  const ids: number[] = [];
  const create = async (label: string) => ids.push(await home.identity(label));

  // Both consumers have processed these events, but the endpoint refuses one of them for now.
  const before = await startConsumers();
  await create('Ada');
  await sink.until(1, '/early');
  isRefusing = true;
  await create('Bea');
  await sink.until(2, '/early');
  await untilFeedHas(2, home);
  const theirs = await quiet.identity('Quiet');
  await untilFeedHas(1, quiet);
  await before[Symbol.asyncDispose]();
  isRefusing = false;

  // No consumer has processed these events. The second webhook gets only the last event, and the
  // third one is inactive.
  await create('Cem');
  await webhooks.register(`${sink.url}/late`);
  const off = await webhooks.register(`${sink.url}/off`);
  await webhooks.change(off, { isActive: false });
  await create('Dan');
  await store.query('DELETE FROM outbox WHERE environment_id = $1', [quiet.scope.environmentId]);

  await comeFromElsewhere(2_000_000_000);
  const was = await epoch();
  await migrate(store.connection);
  expect(await epoch()).not.toBe(was);
  const now = await epoch();
  await migrate(store.connection);
  expect(await epoch()).toBe(now);

  await using after = new AsyncDisposableStack();
  after.use(await startConsumers());
  await create('Eve');
  await quiet.identity('Loud');
  const dense = ids.map((entityId, at) => ({ id: at + 1, entityId }));
  expect(await untilFeedHas(5, home)).toEqual(dense);
  expect((await untilFeedHas(2, quiet)).map(({ id }) => id)).toEqual([1, 2]);
  expect((await feedOf(quiet))[0]!.entityId).toBe(theirs);
  await sink.until(2, '/late');
  expect(receivedBy('/late')).toEqual(ids.slice(3));
  // Bea's event arrives twice, because the endpoint refused it first and the retry comes after the
  // other events.
  await sink.until(6, '/early');
  const [ada, bea, cem, dan, eve] = ids;
  expect(receivedBy('/early')).toEqual([ada, bea, cem, dan, eve, bea]);
  expect(receivedBy('/off')).toEqual([]);
});
