import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MAX_WEBHOOKS } from '@sightline/core/webhooks/webhook';
import type { OutgoingMessage } from '@sightline/core/webhooks/send-message';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';

const URL_A = 'https://hooks.example/a';
const sent: OutgoingMessage[] = [];

let api: ApiServer;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase, {
    send: (message) => {
      sent.push(message);
      return Promise.resolve({
        ok: false,
        statusCode: 500,
        durationMs: 7,
        error: 'The endpoint answered with status 500.',
        retryAfterMs: null,
      });
    },
  });
});
beforeEach(async () => {
  await api.reset();
  sent.length = 0;
});
afterAll(() => api[Symbol.asyncDispose]());

type Fields = Partial<NonNullable<Parameters<typeof api.client.registerWebhook>[0]>['body']>;

async function register(fields: Fields = {}) {
  const { body, problem } = await api.client.registerWebhook({ body: { url: URL_A, ...fields } });
  if (problem !== null) throw new Error(JSON.stringify(problem));
  return body;
}

async function list() {
  const { body } = await api.client.listWebhooks();
  return body!.items;
}

/** A secret of Standard Webhooks with a key of that many bytes. */
const whsec = (bytes: number) => `whsec_${Buffer.alloc(bytes, 'k').toString('base64')}`;

const change = (id: number, body: Record<string, unknown>) =>
  api.client.changeWebhook({ path: { id }, body });

describe('a webhook', () => {
  test('is registered with an address alone, and never shows its secret', async () => {
    const bare = await register();
    expect(bare).toEqual({
      id: expect.any(Number),
      url: URL_A,
      events: [],
      label: null,
      is_active: true,
      has_secret: false,
      disabled_reason: null,
      created_at: expect.stringMatching(/Z$/),
    });
    const events = ['identity.created', 'job.done', 'job.done'] as const;
    const whole = await register({ events: [...events], label: 'CRM', secret: 'hush-hush' });
    expect(whole).toMatchObject({
      events: ['identity.created', 'job.done'],
      label: 'CRM',
      has_secret: true,
    });
    expect(await list()).toEqual([whole, bare]);
    expect(JSON.stringify([whole, await list()])).not.toContain('hush');
  });

  test('with credentials in the URL are refused with a sentence that says so', async () => {
    const body = { url: 'https://user:word@hooks.example/' };
    const { problem } = await api.client.registerWebhook({ body });
    expect(problem).toMatchObject({ status: 422, code: 'target_refused' });
    expect(problem!.detail).toMatch(
      /^The URL of a webhook must not contain a user name or a password/,
    );
  });

  test.each([
    [{ url: 'nowhere' }, 400],
    [{ url: '' }, 400],
    [{ url: `https://hooks.example/${'x'.repeat(2000)}` }, 400],
    [{ url: 'ftp://hooks.example/' }, 422],
    [{ url: 'https://user:word@hooks.example/' }, 422],
    [{ url: 'http://169.254.169.254/latest' }, 422],
    [{ url: 'http://[fe80::1]/' }, 422],
    [{ url: 'http://0xa9fea9fe/' }, 422],
    [{ events: ['identity.renamed'] }, 400],
    [{ events: 'identity.created' }, 400],
    [{ label: 'x'.repeat(201) }, 400],
    [{ label: ' \u200b\u202e ' }, 400],
    [{ secret: '' }, 400],
    [{ secret: 'é'.repeat(129) }, 400],
    [{ secret: 'whsec_' }, 400],
    [{ secret: 'whsec_this is my secret' }, 400],
    [{ secret: whsec(16) }, 400],
    [{ secret: whsec(65) }, 400],
    [{ secret: `${whsec(32)}!` }, 400],
    [{ secret: whsec(32).replace('=', '') }, 400],
  ])('%j is refused with %i, whether it is new or changed', async (fields, status) => {
    const { id } = await register();
    const before = await list();
    const answers = [
      await api.client.registerWebhook({ body: { url: URL_A, ...(fields as object) } }),
      await change(id, fields),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(status);
      expect(answer.problem?.code).toBe(status === 400 ? 'invalid_request' : 'target_refused');
    }
    expect(await list()).toEqual(before);
  });

  test('keeps what a change does not name', async () => {
    const { id, ...first } = await register({ label: 'CRM', secret: 'one', events: ['job.done'] });
    const { body: same } = await change(id, {});
    expect(same).toEqual({ id, ...first });
    const { body: off } = await change(id, { is_active: false, label: null, events: [] });
    expect(off).toEqual({ id, ...first, is_active: false, label: null, events: [] });
    const { body: open } = await change(id, { secret: null, url: `${URL_A}/b` });
    expect(open).toMatchObject({ has_secret: false, url: `${URL_A}/b`, is_active: false });
    expect((await change(id, { is_active: true })).body).toMatchObject({ is_active: true });
  });

  test.each([24, 32, 64])('has a secret of Standard Webhooks with %i bytes', async (bytes) => {
    const { id } = await register({ secret: whsec(bytes) });
    expect((await change(id, { secret: whsec(bytes) })).status).toBe(200);
  });

  test('is not found after its deletion', async () => {
    const { id } = await register();
    expect((await api.client.deleteWebhook({ path: { id } })).status).toBe(204);
    expect(await list()).toEqual([]);
    expect((await api.client.deleteWebhook({ path: { id } })).status).toBe(404);
    expect((await change(id, { label: 'x' })).status).toBe(404);
    expect((await api.client.pingWebhook({ path: { id } })).status).toBe(404);
    expect((await api.client.listDeliveries({ path: { id } })).status).toBe(404);
    expect(sent).toEqual([]);
  });

  test('is one of at most a hundred', async () => {
    await Promise.all(Array.from({ length: MAX_WEBHOOKS }, () => register()));
    const { status, problem } = await api.client.registerWebhook({ body: { url: URL_A } });
    expect([status, problem?.code]).toEqual([409, 'limit_reached']);
    expect(await list()).toHaveLength(MAX_WEBHOOKS);
  });
});

describe('POST /api/webhooks/{id}/test', () => {
  test('sends a ping, also to one that is off, and records the attempt', async () => {
    const { id } = await register({ secret: 'one' });
    await change(id, { is_active: false, secret: 'two' });
    const { body } = await api.client.pingWebhook({ path: { id } });
    expect(body).toEqual({
      ok: false,
      status_code: 500,
      duration_ms: 7,
      error: 'The endpoint answered with status 500.',
    });
    const [message] = sent;
    expect(message).toMatchObject({ url: URL_A, secrets: ['two', 'one'] });
    expect(message!.eventId).toMatch(/^[\da-f]{8}-[\da-f]{4}-7/);
    expect(JSON.parse(Buffer.from(message!.body).toString())).toEqual({
      event: 'ping',
      data: { webhook_id: id },
      id: message!.eventId,
      created_at: expect.stringMatching(/^\d{4}.*\.\d{3}Z$/),
    });
    const { body: deliveries } = await api.client.listDeliveries({ path: { id } });
    expect(deliveries!.items).toEqual([
      {
        id: expect.any(Number),
        event_id: message!.eventId,
        event: 'ping',
        attempt: 1,
        status_code: 500,
        ok: false,
        duration_ms: 7,
        error: 'The endpoint answered with status 500.',
        created_at: expect.any(String),
        next_attempt_at: null,
      },
    ]);
  });
});

describe('the secrets that sign', () => {
  let id: number;
  const signing = async (...secrets: readonly (string | null)[]) => {
    for (const secret of secrets) expect((await change(id, { secret })).status).toBe(200);
    await api.client.pingWebhook({ path: { id } });
    return sent.pop()!.secrets;
  };
  beforeEach(async () => {
    ({ id } = await register({ secret: 'one' }));
  });

  test('are the new one and the one that it replaced, also if the new one is sent again', async () => {
    expect(await signing('two')).toEqual(['two', 'one']);
    expect(await signing('two')).toEqual(['two', 'one']);
    expect(await signing('three')).toEqual(['three', 'two']);
  });

  test('are none after null, which ends both at once', async () => {
    expect(await signing('two', null)).toEqual([]);
    expect(await signing('three')).toEqual(['three']);
  });
});

describe('an attempt to reach a webhook', () => {
  async function ping(id: number) {
    await api.client.pingWebhook({ path: { id } });
    const { body } = await api.client.listDeliveries({ path: { id } });
    return body!.items[0]!;
  }

  test('is shown with the message that was sent', async () => {
    const { id } = await register();
    const delivery = await ping(id);
    const { body } = await api.client.getDelivery({ path: { id, delivery_id: delivery.id } });
    const message: unknown = JSON.parse(Buffer.from(sent[0]!.body).toString());
    expect(body).toEqual({ ...delivery, body: message });
    const other = await register();
    for (const path of [
      { id, delivery_id: 999_999_999 },
      { id: other.id, delivery_id: delivery.id },
    ]) {
      const { problem } = await api.client.getDelivery({ path });
      expect(problem).toMatchObject({ status: 404, code: 'not_found' });
    }
  });

  test('is queued to be sent again, once', async () => {
    const { id } = await register();
    const delivery = await ping(id);
    const path = { id, delivery_id: delivery.id };
    for (let times = 0; times < 2; times++) {
      const { status, body } = await api.client.sendDelivery({ path });
      expect([status, body]).toEqual([202, { event_id: delivery.event_id, event: 'ping' }]);
    }
    const holds = { read: 99, most: 99, limit: 99, share: 99, held: [], seconds: 60 };
    const failing = { limit: 99, share: 99, after: 3 };
    const { webhooks } = await api.stores.deliveries.hold({ ...holds, after: null, failing });
    const held = webhooks.find((webhook) => webhook.id === id)!;
    const page = { after: null, limit: 9, bytes: 1e6 };
    const [queued, ...others] = await api.stores.deliveries.first(held, page);
    expect(queued).toMatchObject({ eventId: delivery.event_id, attempt: 1 });
    expect(Buffer.from(queued!.body)).toEqual(Buffer.from(sent[0]!.body));
    expect(others).toEqual([]);
  });

  test('is not sent again while the webhook is off', async () => {
    const { id } = await register();
    const delivery = await ping(id);
    await change(id, { is_active: false });
    const path = { id, delivery_id: delivery.id };
    const { problem } = await api.client.sendDelivery({ path });
    expect(problem).toMatchObject({ status: 409, code: 'webhook_inactive' });
  });
});

describe('the setting webhook.url', () => {
  const put = (value: string | null) =>
    api.client.putSetting({ path: { key: 'webhook.url' }, body: { value } });
  const value = async () =>
    (await api.client.getSetting({ path: { key: 'webhook.url' } })).body!.value;

  test('and its webhook are one', async () => {
    expect(await value()).toBe('');
    expect((await put(URL_A)).body).toEqual({ key: 'webhook.url', value: URL_A });
    const [webhook] = await list();
    expect(webhook).toMatchObject({ url: URL_A, label: 'webhook.url', events: [] });
    await change(webhook!.id, { url: `${URL_A}/b` });
    expect(await value()).toBe(`${URL_A}/b`);
    await change(webhook!.id, { is_active: false });
    await put(`${URL_A}/b`);
    expect(await list()).toMatchObject([{ id: webhook!.id, is_active: true }]);
    for (const fields of [{ label: 'CRM' }, { events: ['job.done'] }]) {
      expect((await change(webhook!.id, fields)).status).toBe(400);
    }
    await api.client.deleteWebhook({ path: { id: webhook!.id } });
    expect(await value()).toBe('');
    await put(URL_A);
    await put('');
    expect(await list()).toEqual([]);
    await put(URL_A);
    await put(null);
    expect([await list(), await value()]).toEqual([[], '']);
  });

  test('names no address that the service never calls', async () => {
    const { status, problem } = await put('http://169.254.169.254/');
    expect([status, problem?.code]).toEqual([422, 'target_refused']);
    expect(await list()).toEqual([]);
  });
});

test('read-only keys and other environments cannot see webhooks', async () => {
  const { id } = await register();
  const reader = await api.clientOf({ environment: api.environment, right: 'read' });
  const answers = [
    await reader.listWebhooks(),
    await reader.listDeliveries({ path: { id } }),
    await reader.pingWebhook({ path: { id } }),
    await reader.getDelivery({ path: { id, delivery_id: 1 } }),
    await reader.sendDelivery({ path: { id, delivery_id: 1 } }),
    await reader.changeWebhook({ path: { id }, body: {} }),
    await reader.deleteWebhook({ path: { id } }),
    await reader.registerWebhook({ body: { url: URL_A } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(403));
});
