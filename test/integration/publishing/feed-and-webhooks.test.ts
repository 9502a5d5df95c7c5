import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { createIdentity } from '@sightline/core/curation/create-identity';
import { deleteDetections } from '@sightline/core/curation/delete-detections';
import { deleteIdentity } from '@sightline/core/curation/delete-identity';
import { mergeIdentity } from '@sightline/core/curation/merge-identity';
import { renameIdentity } from '@sightline/core/curation/rename-identity';
import { setIdentityCover } from '@sightline/core/curation/set-identity-cover';
import { undoOperation } from '@sightline/core/curation/undo-operation';
import { CurrentOperation } from '@sightline/core/store/current-operation';
import { EmbeddedEventStream } from '@sightline/events/embedded/embedded-event-stream';
import { createLogger } from '@sightline/platform/logging/logger';
import { createProjectorRole } from '@sightline/background/projector/role';
import {
  boxAt,
  faceAt,
  idsOf,
  openRecognition,
  type RecognitionFixture,
  visitor,
} from '../../support/fixtures/recognition-fixture.ts';
import { RegisteredWebhooks } from '../../support/fixtures/registered-webhooks.ts';
import { createJob, endItem, imagesJob } from '../../support/fixtures/seed-jobs.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { startDispatcher } from '../../support/fixtures/start-dispatcher.ts';
import type { StoreFixture } from '../../support/fixtures/store-fixture.ts';
import { openWebhookSink, type WebhookSink } from '../../support/servers/webhook-sink.ts';

let resources: AsyncDisposableStack;
let fixture: RecognitionFixture;
let store: StoreFixture;
let sink: WebhookSink;

beforeAll(async () => {
  resources = new AsyncDisposableStack();
  fixture = resources.use(await openRecognition());
  ({ store } = fixture);
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

/** Waits until the feed of an environment has this number of entries, and returns them. */
async function feedOf({ scope }: SeededEnvironment, count: number) {
  for (;;) {
    const { items } = await store.database.withScope(scope, (tx) => tx.feed.after(0, 100));
    if (items.length >= count) return items;
    await sleep(20);
  }
}

test('the feed and webhooks get the same complete events, only of their own environment', async () => {
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
  // A refused request emits no event.
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
  const published = [
    ['identity.created', { ...about, label: 'Ada', type: 'face' }],
    ['identity.created', { identity_id: ann, label: 'Ann', type: 'face', external_ref: null }],
    ['identity.updated', { ...updated, label: 'Ada Lovelace', previous_label: 'Ada' }],
    ['identity.updated', { ...about, action: 'thumbnail_updated', cover_detection_id: cover }],
    ['identity.merged', { ...about, merged_into: ann }],
  ];
  await sink.until(published.length, '/home');
  await sink.until(1, '/other');
  const entries = await feedOf(home, published.length);
  const messages = messagesOf('/home');
  // First attempts keep the order of each identity's events. Only the feed has the order of all
  // events.
  const inOrder = entries.map(({ eventId }) => messages.find(({ id }) => id === eventId)!);
  expect(inOrder.map(({ event, data }) => [event, data])).toEqual(published);
  expect(messages).toHaveLength(published.length);
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

test('the feed and webhooks get all eight events as they were written', async () => {
  const home = await store.environment();
  const other = await store.environment();
  const { scope } = home;
  const guest = visitor(fixture.process(), home);
  await new RegisteredWebhooks(store, scope).register(`${sink.url}/all`);
  await new RegisteredWebhooks(store, other.scope).register(`${sink.url}/none`);

  fixture.scenes.set('Ada', { faces: [faceAt(0)] });
  const strangers = [90, 180].map((degrees, at) => faceAt(degrees, { bbox: boxAt(at) }));
  fixture.scenes.set('street', { faces: strangers });
  const { identityId: ada, embeddingId } = await guest.enroll('Ada', 'Ada', {
    externalRef: 'crm/1',
  });
  const [reference] = await store.query<{ face: number }>(
    'SELECT detection_id AS face FROM face_references WHERE id = $1',
    [embeddingId],
  );
  const { face } = reference!;
  const [first, second] = idsOf(await guest.detect('street', { externalRef: 'street/7' }));
  await actOnFace(store, {
    scope,
    id: first!,
    action: 'confirm',
    target: { identityId: ada },
  });
  const bea = await home.identity('Bea');
  await setIdentityCover(store, { scope, id: ada, detectionId: face });
  await renameIdentity(store, { scope, id: ada, label: 'Ann' });
  await deleteDetections(store, { scope, ids: [first!, second!] });
  await mergeIdentity(store, { scope, id: ada, into: bea });
  await deleteIdentity(store, { scope, id: bea });
  const job = await createJob(store, home, imagesJob(1));
  const item = (await store.jobs.claim(['reprocess']))!;
  await endItem(store, item);

  const embedding_id = expect.any(Number);
  const ofFace = (
    detection_id: number,
    identity_id: number | null,
    external_ref: string | null,
  ) => ({
    detection_id,
    type: 'face',
    identity_id,
    external_ref,
  });
  const ofAda = { identity_id: ada, external_ref: 'crm/1' };
  const ofBea = { identity_id: bea, external_ref: 'crm/1' };
  const updated = (action: string, facts: object) => [
    'identity.updated',
    { ...ofAda, action, ...facts },
  ];
  const published = [
    ['identity.created', { ...ofAda, label: 'Ada', type: 'face' }],
    ['detection.created', ofFace(face, ada, null)],
    updated('detection_added', { detection_id: face }),
    updated('embedding_added', { embedding_id, detection_id: face }),
    ['detection.created', ofFace(first!, null, 'street/7')],
    ['detection.created', ofFace(second!, null, 'street/7')],
    ['detection.labeled', ofFace(first!, ada, 'street/7')],
    updated('embedding_added', { embedding_id, detection_id: first }),
    ['identity.created', { identity_id: bea, label: 'Bea', type: 'face', external_ref: null }],
    updated('thumbnail_updated', { cover_detection_id: face }),
    updated('renamed', { label: 'Ann', previous_label: 'Ada' }),
    [
      'detection.deleted',
      { detection_ids: [first, second], external_refs: ['street/7', 'street/7'] },
    ],
    updated('embedding_removed', { embedding_id, detection_id: first }),
    ['identity.merged', { ...ofAda, merged_into: bea }],
    ['detection.deleted', { detection_ids: [face], external_refs: [null] }],
    // The remaining identity has taken over the reference of the merged one.
    ['identity.deleted', ofBea],
    [
      'job.done',
      { job_id: job.id, type: 'reprocess', status: 'done', total: 1, done: 1, failed: 0 },
    ],
  ];
  const written = await store.query<Envelope>(
    `SELECT event, event_id AS id, data, created_at FROM outbox
     WHERE environment_id = $1 ORDER BY xid, id`,
    [scope.environmentId],
  );
  expect(written.map(({ event, data }) => [event, data])).toEqual(published);

  await sink.until(published.length, '/all');
  const messages = new Map(messagesOf('/all').map((message) => [message.id, message]));
  const asWritten = JSON.parse(JSON.stringify(written)) as object[];
  expect(written.map(({ id }) => messages.get(id))).toEqual(asWritten);
  expect(messagesOf('/all')).toHaveLength(published.length);

  const [identity, detection] = ['identity', 'detection'] as const;
  const expected = [
    [identity, ada, 'created', 'crm/1'],
    [detection, face, 'created', null],
    [identity, ada, 'updated', 'crm/1'],
    [identity, ada, 'updated', 'crm/1'],
    [detection, first, 'created', 'street/7'],
    [detection, second, 'created', 'street/7'],
    [detection, first, 'relabeled', 'street/7'],
    [identity, ada, 'updated', 'crm/1'],
    [identity, bea, 'created', null],
    [identity, ada, 'updated', 'crm/1'],
    [identity, ada, 'relabeled', 'crm/1'],
    [detection, first, 'deleted', 'street/7'],
    [detection, second, 'deleted', 'street/7'],
    [identity, ada, 'updated', 'crm/1'],
    [identity, ada, 'merged', 'crm/1'],
    [detection, face, 'deleted', null],
    [identity, bea, 'deleted', 'crm/1'],
  ];
  const entries = await feedOf(home, expected.length);
  expect(
    entries.map(({ entityType, entityId, action, externalRef }) => [
      entityType,
      entityId,
      action,
      externalRef,
    ]),
  ).toEqual(expected);
  expect(entries.map(({ id }) => id)).toEqual(expected.map((_, at) => at + 1));
  const inFeed = [...new Set(entries.map(({ eventId }) => eventId))];
  expect(inFeed).toEqual(written.slice(0, -1).map(({ id }) => id));
  expect([await feedOf(other, 0), messagesOf('/none')]).toEqual([[], []]);
});

test('the events of an undo name its operation in the feed and in webhooks', async () => {
  const home = await store.environment();
  const { scope } = home;
  const ada = await home.identity('Ada');
  const deletion = new CurrentOperation('delete_identities');
  await deleteIdentity(store, { scope: { ...scope, operation: deletion }, id: ada });
  await new RegisteredWebhooks(store, scope).register(`${sink.url}/undone`);
  const undo = new CurrentOperation('undo');
  await undoOperation(store, {
    scope: { ...scope, operation: undo },
    id: deletion.id!,
    isStrict: false,
    label: null,
    mayUndo: () => undefined,
  });
  await sink.until(1, '/undone');
  const [message] = messagesOf('/undone');
  expect(message).toMatchObject({
    event: 'identity.created',
    data: { identity_id: ada, external_ref: null, operation_id: undo.id },
  });
  const entries = await feedOf(home, 3);
  expect(entries.map(({ action, operationId }) => [action, operationId])).toEqual([
    ['created', null],
    ['deleted', null],
    ['created', undo.id],
  ]);
  expect(entries.at(-1)!.eventId).toBe(message!.id);
});
