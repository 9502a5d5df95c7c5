import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createIdentity } from '@sightline/core/curation/create-identity';
import { mergeIdentity } from '@sightline/core/curation/merge-identity';
import { renameIdentity } from '@sightline/core/curation/rename-identity';
import { setIdentityCover } from '@sightline/core/curation/set-identity-cover';
import { EmbeddedEventStream } from '@sightline/events-embedded/embedded-event-stream';
import { createLogger } from '@sightline/platform/logging/logger';
import { createProjectorRole } from '@sightline/projector/role';
import { RegisteredWebhooks } from '../../support/fixtures/registered-webhooks.ts';
import { startDispatcher } from '../../support/fixtures/start-dispatcher.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';
import { openWebhookSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';

let resources: AsyncDisposableStack;
let store: StoreFixture;
let sink: WebhookSink;

beforeAll(async () => {
  resources = new AsyncDisposableStack();
  store = resources.use(await openStoreFixture());
  sink = resources.use(await openWebhookSink());
  resources.use(await startDispatcher(store));
  const events = new EmbeddedEventStream(store.outbox, 20);
  const logger = createLogger({ level: 'silent' });
  const projector = createProjectorRole({ logger, consumers: store.consumers, events });
  await projector.start(new AbortController().signal);
  resources.use(projector);
});
afterAll(async () => {
  await resources.disposeAsync();
});

interface Envelope {
  readonly event: string;
  readonly id: string;
  readonly data: object;
}

const messagesOf = (path: string) =>
  sink.received
    .filter((message) => message.path === path)
    .map(({ body }) => JSON.parse(body.toString()) as Envelope);

test('feed and webhooks tell the same, with all members, of their environment alone', async () => {
  const home = await store.environment();
  const other = await store.environment();
  const { scope } = home;
  await new RegisteredWebhooks(store, scope).register(`${sink.url}/home`);
  await new RegisteredWebhooks(store, other.scope).register(`${sink.url}/other`);

  const { id: ada } = await createIdentity(store, {
    scope,
    type: 'face',
    label: 'Ada',
    externalRef: 'crm/1',
  });
  const ann = await home.identity('Ann');
  const theirs = await other.identity('Ada');
  const { ids } = await home.photo([{ identityId: ada }]);
  const cover = ids[0]!;
  await renameIdentity(store, { scope, id: ada, label: 'Ada Lovelace' });
  await renameIdentity(store, { scope, id: ada, label: 'Ada Lovelace' });
  await setIdentityCover(store, { scope, id: ada, detectionId: cover });
  // What is refused is not told.
  const refused = [
    () => createIdentity(store, { scope, type: 'face', label: 'Ann' }),
    () => renameIdentity(store, { scope, id: ada, label: 'Ann' }),
    () => renameIdentity(store, { scope, id: theirs, label: 'Mine' }),
    () => setIdentityCover(store, { scope, id: ann, detectionId: cover }),
    () => mergeIdentity(store, { scope, id: ada, into: ada }),
    () => mergeIdentity(store, { scope, id: ada, into: theirs }),
  ];
  for (const request of refused) await expect(request()).rejects.toThrow();
  await mergeIdentity(store, { scope, id: ada, into: ann });

  const about = { identity_id: ada, external_ref: 'crm/1' };
  const updated = { ...about, action: 'renamed' };
  const told = [
    ['identity.created', { ...about, label: 'Ada', type: 'face' }],
    ['identity.created', { identity_id: ann, label: 'Ann', type: 'face', external_ref: null }],
    ['identity.updated', { ...updated, label: 'Ada Lovelace', previous_label: 'Ada' }],
    ['identity.updated', { ...about, action: 'thumbnail_updated', cover_detection_id: cover }],
    ['identity.merged', { ...about, merged_into: ann }],
  ];
  await sink.until(told.length, '/home');
  await sink.until(1, '/other');
  const feed = async () =>
    (await store.database.withScope(scope, (tx) => tx.feed.after(0, 100))).items;
  while ((await feed()).length < told.length) await sleep(20);
  const entries = await feed();
  const messages = messagesOf('/home');
  // First attempts keep the order of each identity; the feed has that of all.
  const inOrder = entries.map(({ eventId }) => messages.find(({ id }) => id === eventId)!);
  expect(inOrder.map(({ event, data }) => [event, data])).toEqual(told);
  expect(messages).toHaveLength(told.length);
  expect(
    entries.map(({ id, action, entityId, externalRef }) => [id, action, entityId, externalRef]),
  ).toEqual([
    [1, 'created', ada, 'crm/1'],
    [2, 'created', ann, null],
    [3, 'relabeled', ada, 'crm/1'],
    [4, 'updated', ada, 'crm/1'],
    [5, 'merged', ada, 'crm/1'],
  ]);
  expect(messagesOf('/other').map(({ data }) => data)).toEqual([
    { identity_id: theirs, label: 'Ada', type: 'face', external_ref: null },
  ]);
});
