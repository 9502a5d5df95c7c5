import { createHmac } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import {
  openWebhookSink,
  type ReceivedMessage,
  type WebhookSink,
} from '../support/servers/webhook-sink.ts';
import { describeInCompositions } from '../support/services/compositions.ts';
import { ok, okWith } from '../support/services/ok.ts';
import type { SharedService } from '../support/services/shared-service.ts';

interface Envelope {
  readonly event: string;
  readonly id: string;
  readonly created_at: string;
  readonly data: Record<string, unknown>;
}

/** Polls until the value is as expected; otherwise the test times out. */
async function once<T>(read: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (isThere(value)) return value;
    await delay(20);
  }
}

const envelopeOf = ({ body }: ReceivedMessage) => JSON.parse(body.toString()) as Envelope;

describeInCompositions('webhooks', (takeEnvironment) => {
  let service: SharedService;
  let sink: WebhookSink;

  beforeAll(async () => {
    [service, sink] = [await takeEnvironment(), await openWebhookSink(answerOf)];
  });
  afterAll(async () => {
    await sink[Symbol.asyncDispose]();
  });

  const failing = new Set<string>();
  function answerOf({ path, headers }: ReceivedMessage) {
    const id = `${path} ${headers['webhook-id'] as string}`;
    if (path === '/gone') return { status: 410 };
    if (path !== '/unsteady' || failing.has(id)) return { status: 204 };
    failing.add(id);
    return { status: 500 };
  }

  const register = async (
    path: string,
    fields: { secret?: string; events?: ['identity.created'] } = {},
  ) =>
    okWith(
      201,
      await service.client.registerWebhook({ body: { url: sink.url + path, ...fields } }),
    );
  const create = async (label: string, external_ref?: string) =>
    ok(await service.client.createIdentity({ body: { label, type: 'face', external_ref } }));

  test('receive signed events in order, with the ids of the feed', async () => {
    const { client } = service;
    const { id: webhook } = await register('/all', { secret: 'hush' });
    await register('/created', { events: ['identity.created'] });
    const ada = await create('Ada', 'crm/1');
    const file = await drawPhoto({ faces: ['red'] });
    const { embedding_id: reference } = ok(
      await client.enrollIdentity({ path: { id: ada.id }, body: { file } }),
    );
    ok(await client.renameIdentity({ path: { id: ada.id }, body: { label: 'Ada Lovelace' } }));
    await client.deleteIdentity({ path: { id: ada.id } });

    const messages = await sink.until(7, '/all');
    const { changes } = await once(
      async () => ok(await client.listChanges()),
      (feed) => feed.changes.length >= messages.length,
    );
    const inFeed = changes.map(({ event_id }) => event_id);
    const came = messages.map(envelopeOf);
    const ordered = came.toSorted((a, b) => inFeed.indexOf(a.id) - inFeed.indexOf(b.id));
    // Events of the same entity arrive in order; events of different entities may overtake each other.
    const ofAda = ({ event }: { readonly event: string }) => event.startsWith('identity.');
    expect(came.filter(ofAda)).toEqual(ordered.filter(ofAda));
    expect(ordered.map(({ event, data }) => [event, data.action])).toEqual([
      ['identity.created', undefined],
      ['detection.created', undefined],
      ['identity.updated', 'detection_added'],
      ['identity.updated', 'embedding_added'],
      ['identity.updated', 'renamed'],
      ['detection.deleted', undefined],
      ['identity.deleted', undefined],
    ]);
    expect(ordered[0]).toEqual({
      event: 'identity.created',
      data: { identity_id: ada.id, label: 'Ada', type: 'face', external_ref: 'crm/1' },
      id: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-7/),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    });
    expect(ordered[3]!.data).toMatchObject({ embedding_id: reference, external_ref: 'crm/1' });
    for (const { headers, body } of messages) {
      const hex = createHmac('sha256', 'hush').update(body).digest('hex');
      expect(headers['x-service-signature']).toBe(`sha256=${hex}`);
      expect(headers['content-type']).toBe('application/json');
    }
    expect(await sink.until(1, '/created')).toHaveLength(1);
    expect(envelopeOf((await sink.until(1, '/created'))[0]!)).toEqual(ordered[0]);

    expect(inFeed).toEqual(ordered.map(({ id }) => id));
    const { items } = await once(
      async () => ok(await client.listDeliveries({ path: { id: webhook } })),
      (deliveries) => deliveries.items.length >= ordered.length,
    );
    expect(items.map(({ event_id }) => event_id).toSorted()).toEqual(inFeed.toSorted());
    expect(items.filter(ofAda).map(({ event_id }) => event_id)).toEqual(
      ordered
        .filter(ofAda)
        .map(({ id }) => id)
        .reverse(),
    );
    expect(items[0]).toMatchObject({
      attempt: 1,
      ok: true,
      status_code: 204,
      next_attempt_at: null,
    });
  });

  test('get a message again that failed, with the same id and bytes', async () => {
    const { id } = await register('/unsteady', { events: ['identity.created'] });
    const { id: identity } = await create('Bea');
    const [first, second] = (await sink.until(2, '/unsteady')) as [
      ReceivedMessage,
      ReceivedMessage,
    ];
    expect(envelopeOf(first).data).toMatchObject({ identity_id: identity });
    expect(second.headers['webhook-id']).toBe(first.headers['webhook-id']);
    expect(second.body).toEqual(first.body);
    expect(second.at - first.at).toBeGreaterThan(4_000);
    const { items } = await once(
      async () => ok(await service.client.listDeliveries({ path: { id } })),
      (deliveries) => deliveries.items.length >= 2,
    );
    expect(items.at(-1)).toMatchObject({ attempt: 1, ok: false, status_code: 500 });
    expect(items.at(-1)!.next_attempt_at).not.toBeNull();
  });

  test('that are gone, off or deleted get nothing', async () => {
    const gone = await register('/gone');
    const off = await register('/off');
    const deleted = await register('/deleted');
    const { client } = service;
    ok(await client.changeWebhook({ path: { id: off.id }, body: { is_active: false } }));
    await client.deleteWebhook({ path: { id: deleted.id } });
    await create('Cem');
    await sink.until(1, '/gone');
    const state = async () =>
      ok(await client.listWebhooks()).items.find(({ id }) => id === gone.id)!;
    while ((await state()).is_active) await delay(20);
    expect(await state()).toMatchObject({ is_active: false, disabled_reason: 'gone' });
    ok(await client.changeWebhook({ path: { id: off.id }, body: { is_active: true } }));
    const { id } = await create('Dan');
    const [only] = await sink.until(1, '/off');
    expect(envelopeOf(only!).data.identity_id).toBe(id);
    expect(sink.received.filter(({ path }) => path === '/deleted')).toEqual([]);
    expect(sink.received.filter(({ path }) => path === '/gone')).toHaveLength(1);
  });
});
