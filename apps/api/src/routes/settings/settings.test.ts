import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { SETTINGS } from '@sightline/core/settings/settings-catalog';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { People } from '../../testing/browser.ts';
import { photo } from '../../testing/people.ts';

let api: ApiServer;
let people: People;
const fetched: unknown[] = [];

beforeAll(async () => {
  api = await startApi(createMigratedDatabase, {
    fetchImage: (url, limits) => {
      fetched.push(limits);
      return Promise.resolve(new TextEncoder().encode(url));
    },
  });
  people = await People.of(api);
  // The first administrator owns the environments from before.
  await people.newAccount({ isAdmin: true });
});
beforeEach(() => api.reset());
afterAll(() => api[Symbol.asyncDispose]());

const put = (key: string, value: unknown, client = api.client) =>
  client.putSetting({ path: { key }, body: { value: value as null } });

async function value(key: string) {
  return (await api.client.getSetting({ path: { key } })).body!.value;
}

describe('GET /api/settings', () => {
  test('lists all with their defaults', async () => {
    const { body } = await api.client.listSettings();
    expect(body!.items.map(({ key }) => key)).toEqual(Object.keys(SETTINGS));
    expect(body!.items[0]).toEqual({
      key: 'face.match_threshold',
      value: 0.5,
      default: 0.5,
      type: 'number',
      description: SETTINGS['face.match_threshold'].description,
      scope: 'environment',
      min: -1,
      max: 1,
      options: null,
      max_items: null,
      unit: null,
      changed_at: null,
      changed_by: null,
    });
    const byKey = new Map(body!.items.map((item) => [item.key, item]));
    const none = { min: null, max: null, options: null, max_items: null, unit: null };
    expect(byKey.get('system.source_max_size')).toMatchObject({ min: 16, unit: 'pixels' });
    expect(byKey.get('face.match_strategy')).toMatchObject({
      ...none,
      options: ['best_match', 'average'],
    });
    expect(byKey.get('object.vocabulary')).toMatchObject({ ...none, max_items: 200 });
    expect(byKey.get('object.class_filter')).toMatchObject({
      options: { length: 80 },
      max_items: 80,
    });
    expect(byKey.get('audit.reads')).toMatchObject(none);
  });

  test('tells when and by whom a setting was changed', async () => {
    const listed = async (key: string, client = api.client) =>
      (await client.listSettings()).body!.items.find((item) => item.key === key)!;
    const admin = await api.clientOf({ environment: api.environment, isAdmin: true });
    await put('face.match_threshold', 0.6);
    await put('system.crop_jpeg_quality', 80, admin);
    const at = expect.stringMatching(/Z$/);
    const byKey = { account_id: null, name: null, key_id: expect.any(Number) };
    const key = 'face.match_threshold';
    expect(await listed(key)).toMatchObject({ changed_at: at, changed_by: byKey });
    expect(await listed('system.crop_jpeg_quality', admin)).toMatchObject({ changed_by: byKey });
    const own = { changed_at: at, changed_by: null };
    expect(await listed('system.crop_jpeg_quality')).toMatchObject(own);
    const reader = await api.clientOf({ environment: api.environment, right: 'read' });
    expect(await listed(key, reader)).toMatchObject(own);
    await put('system.crop_jpeg_quality', null, admin);
    await put(key, null);
    expect(await listed(key)).toMatchObject({ changed_at: null, changed_by: null });
    const client = await api.clientOfAccount();
    await put(key, 0.7, client);
    expect((await listed(key, client)).changed_by).toEqual({
      account_id: expect.any(String),
      name: 'Ada',
      key_id: null,
    });
  });

  test('does not show a key that reads where events go', async () => {
    await put('webhook.url', 'https://secret.test/hook');
    const reader = await api.clientOf({ right: 'read' });
    const { body } = await reader.listSettings();
    expect(body!.items).toHaveLength(Object.keys(SETTINGS).length - 1);
    expect(JSON.stringify(body)).not.toMatch(/webhook\.url|secret/);
    const { problem } = await reader.getSetting({ path: { key: 'webhook.url' } });
    expect(problem).toMatchObject({ status: 403, code: 'forbidden' });
    expect(await value('webhook.url')).toBe('https://secret.test/hook');
  });
});

describe('PUT /api/settings/{key}', () => {
  test.each([
    ['face.match_threshold', -0.25],
    ['face.match_strategy', 'average'],
    ['object.class_filter', ['person', 'bicycle']],
    ['audit.reads', true],
  ])('sets %s, and null goes back to the default', async (key, given) => {
    const { body } = await put(key, given);
    expect(body).toEqual({ key, value: given });
    expect(await value(key)).toEqual(given);
    const { default: fallback } = SETTINGS[key as 'audit.reads'];
    expect((await put(key, null)).body).toEqual({ key, value: fallback });
    expect(await value(key)).toEqual(fallback);
  });

  test('applies to the environment alone', async () => {
    await put('face.match_threshold', 0.9);
    const other = await api.clientOf({ environment: 'another' });
    const { body } = await other.getSetting({ path: { key: 'face.match_threshold' } });
    expect(body).toEqual({ key: 'face.match_threshold', value: 0.5 });
  });

  test.each([
    ['face.match_threshold', 1.5],
    ['face.match_threshold', '0.5'],
    ['face.match_strategy', 'best'],
    ['object.class_filter', ['unicorn']],
    ['audit.reads', 'yes'],
    ['face.match_threshold', { a: 1 }],
    ['face.match_threshold', undefined],
  ])('refuses %s = %j', async (key, given) => {
    const { problem } = await put(key, given);
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  test.each(['face.unknown', 'toString', '__proto__'])(
    'refuses the unknown key %s',
    async (key) => {
      expect((await put(key, 1)).problem).toMatchObject({ status: 404, code: 'not_found' });
      const { problem } = await api.client.getSetting({ path: { key } });
      expect(problem).toMatchObject({ status: 404, code: 'not_found' });
    },
  );

  test('of the installation needs an administrator, and applies everywhere', async () => {
    const key = 'system.url_fetch_timeout_seconds';
    expect((await put(key, 3)).problem).toMatchObject({ status: 403, code: 'admin_required' });
    const admin = await api.clientOf({ isAdmin: true });
    expect((await put(key, 3, admin)).body).toEqual({ key, value: 3 });
    expect((await put('system.url_fetch_max_size_mb', 2, admin)).status).toBe(200);
    const other = await api.clientOf({ environment: 'another' });
    await other.testImage({ body: { image_url: 'http://images.test/a.jpg' } });
    expect(fetched.at(-1)).toMatchObject({ timeoutMs: 3000, maxBytes: 2 * 1024 * 1024 });
    expect(fetched.at(-1)).toMatchObject({ reach: 'private' });
    await put('system.url_fetch_private', false, admin);
    await put('system.url_fetch_max_size_mb', 1000, admin);
    await other.testImage({ body: { image_url: 'http://images.test/a.jpg' } });
    expect(fetched.at(-1)).toMatchObject({ maxBytes: 25 * 1024 * 1024, reach: 'public' });
    for (const name of [key, 'system.url_fetch_max_size_mb', 'system.url_fetch_private']) {
      await put(name, null, admin);
    }
  });

  test('of the installation needs no environment with the session of an administrator', async () => {
    const key = 'system.crop_padding';
    const { browser, account } = await people.signedIn({ isAdmin: true });
    const put = { method: 'PUT', body: { value: 0.3 } };
    expect((await browser.call(`/api/settings/${key}`, put)).body).toEqual({ key, value: 0.3 });
    expect((await browser.call(`/api/settings/${key}`)).body).toEqual({ key, value: 0.3 });
    expect(await value(key)).toBe(0.3);
    const audit = `/api/audit?scope=installation&entity_id=${key}`;
    const { items } = (await browser.call(audit)).body as { items: { user_id: string }[] };
    expect(items.map(({ user_id }) => user_id)).toEqual([account.id]);
    const reset = { method: 'PUT', body: { value: null } };
    expect((await browser.call(`/api/settings/${key}`, reset)).body).toEqual({ key, value: 0.2 });
    const all = await browser.call('/api/settings?scope=installation');
    const keys = (all.body as { items: { key: string }[] }).items.map((item) => item.key);
    expect(keys).toEqual(Object.keys(SETTINGS).filter((name) => name.startsWith('system.')));
    expect((await browser.call('/api/settings/system.unknown')).status).toBe(404);
    for (const path of ['/api/settings', '/api/settings/face.match_threshold']) {
      expect((await browser.call(path)).body.code).toBe('no_environment');
    }
    const other = { method: 'PUT', body: { value: 0.3 } };
    const refused = await browser.call('/api/settings/face.match_threshold', other);
    expect(refused).toMatchObject({ status: 409, body: { code: 'no_environment' } });
  });

  test('of the installation is read by every member, and written by administrators alone', async () => {
    const key = 'system.crop_padding';
    const { browser, environment } = await people.settled();
    const put = { method: 'PUT', body: { value: 0.3 } };
    expect((await browser.call(`/api/settings/${key}`)).body).toEqual({ key, value: 0.2 });
    const refused = await browser.call(`/api/settings/${key}`, put);
    expect(refused).toMatchObject({ status: 403, body: { code: 'admin_required' } });
    // The role in an environment does not matter for an administrator.
    const admin = await people.settled({ isAdmin: true });
    const foreign = { ...put, headers: { 'X-Environment-Id': String(environment) } };
    expect((await admin.browser.call(`/api/settings/${key}`, foreign)).status).toBe(200);
    const reset = { method: 'PUT', body: { value: null } };
    expect((await admin.browser.call(`/api/settings/${key}`, reset)).status).toBe(200);
  });

  test('does not turn on a GPU that does not exist', async () => {
    const admin = await api.clientOf({ isAdmin: true });
    const { problem } = await put('system.use_gpu', true, admin);
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
    expect((await put('system.use_gpu', null, admin)).body).toMatchObject({ value: true });
  });

  test('applies from the next request on', async () => {
    api.analyzer.facesOf = () => [];
    await put('face.detection_threshold', 0.75);
    await put('face.upright', false);
    await put('object.class_filter', ['bus']);
    await api.client.testImage({ body: { file: photo('a') } });
    expect(api.analyzer.requests.at(-1)).toMatchObject({
      faces: { detectionThreshold: 0.75, upright: false },
      objects: { classFilter: ['bus'] },
    });
  });
});
