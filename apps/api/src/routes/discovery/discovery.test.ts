import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createApiKey } from '@sightline/core/api-keys/api-key';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';

let api: ApiServer;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
afterAll(() => api[Symbol.asyncDispose]());

const ALL_OK = { database: 'ok', vectors: 'ok', media: 'ok', events: 'ok' };

describe('GET /api/health', () => {
  test('reports what works, without a key', async () => {
    const response = await fetch(`${api.base}/api/health`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({
      status: 'ok',
      version: '1.2.3',
      provider: 'cpu',
      models: [
        { task: 'face', name: 'faces', id: expect.any(Number), revision: 'f'.repeat(64) },
        { task: 'object', name: 'objects', id: expect.any(Number), revision: 'f'.repeat(64) },
      ],
      checks: ALL_OK,
      reasons: [],
      reembed: null,
      index: { state: 'filled', filling: null, backlog: 0, drift: null, compared_at: null },
      events: { transport: 'embedded', lag_seconds: { relay: null, feed: 0, webhooks: 0 } },
      uptime_seconds: expect.any(Number),
    });
  });

  test('is degraded when an optional part is down', async () => {
    const { media } = api;
    const requireAnswer = media.requireAnswer.bind(media);
    media.requireAnswer = () => Promise.reject(new StoreUnavailable('The disk is full.'));
    const { status, body } = await api.client.getHealth();
    media.requireAnswer = requireAnswer;
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'degraded',
      checks: { ...ALL_OK, media: 'failed' },
      reasons: ['The disk is full.'],
    });
  });

  test('is degraded while changes are not noted for the index, so that matching must not use it', async () => {
    const { changeLog } = api.stores;
    await changeLog.follow();
    const response = await fetch(`${api.base}/api/health`);
    const degraded = { status: 'degraded', checks: { ...ALL_OK, vectors: 'failed' } };
    expect(await response.json()).toMatchObject({ ...degraded, index: { state: 'unfilled' } });
    await changeLog.filled();
    const later = await fetch(`${api.base}/api/health`);
    expect(await later.json()).toMatchObject({ status: 'ok', checks: ALL_OK });
  });

  test('reports the progress of a fill, the backlog, and the drift', async () => {
    const { changeLog, indexStatus } = api.stores;
    const indexNow = async () => (await api.client.getHealth()).body!.index;
    await changeLog.follow();
    await changeLog.keepAlive(1200);
    expect(await indexNow()).toMatchObject({ state: 'unfilled', filling: 1200 });
    await changeLog.filled();
    const [environment] = await api.stores.keys.environments();
    const [model] = api.analyzer.models;
    const [registered] = await api.stores.models.register([model!]);
    const space = { environmentId: environment!.id, modelId: registered!.id };
    await changeLog.note({ ...space, kind: 'faces', dimension: 2 }, [1, 2]);
    await changeLog.compared({ missing: 3, extra: 2, stale: 1 });
    expect(await indexNow()).toEqual({
      state: 'filled',
      filling: null,
      backlog: 2,
      drift: { missing: 3, extra: 2, stale: 1 },
      compared_at: expect.stringMatching(/^\d{4}-.+Z$/),
    });
    await indexStatus.requestRebuild(changeLog.reader);
    expect(await indexNow()).toMatchObject({ state: 'rebuild_requested' });
    await changeLog.leave();
    expect(await indexNow()).toBeNull();
    await changeLog.follow();
    await changeLog.filled();
  });

  test('is degraded while inference is not ready: requests without a model go on', async () => {
    api.analyzer.ready = false;
    const { status, body } = await api.client.getHealth();
    api.analyzer.ready = true;
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'degraded' });
  });

  test('is degraded while faces get their embeddings of a new model', async () => {
    const [environment] = await api.stores.keys.environments();
    const scope = { environmentId: environment!.id, locks: [] };
    const params = { modelId: 1, faces: 'all' } as const;
    const items = Array.from({ length: 8 }, (_, i) => ({ input: { sourceImageId: i + 1 } }));
    await api.stores.database.withEntities(scope, (tx) =>
      tx.jobs.create({ type: 'reembed', params, items }),
    );
    const { body } = await api.client.getHealth();
    expect(body).toMatchObject({
      status: 'degraded',
      checks: ALL_OK,
      reembed: { total: 8, done: 0, failed: 0 },
    });
  });

  test('is 503 without the database', async () => {
    await using server = await startApi(createMigratedDatabase);
    const { database } = server.stores;
    database.ready = () => Promise.resolve(false);
    const { status, body } = await server.client.getHealth();
    expect(status).toBe(503);
    expect(body).toMatchObject({
      status: 'unavailable',
      models: [{ name: 'faces' }, { name: 'objects' }],
      checks: { database: 'failed', events: 'failed', media: 'ok' },
    });
  });
});

test('without the database everything else is 503, keys included', async () => {
  await using server = await startApi(createMigratedDatabase);
  await server.client.getStats();
  const isDown = () => Promise.reject(new StoreUnavailable('The database is down.'));
  const { database, keys } = server.stores;
  database.withScope = isDown;
  keys.byPrefix = isDown;
  // The service has cached the first key, and has to read the second one from the database.
  for (const key of [server.key, createApiKey().key]) {
    const { problem, headers } = await server.client.getStats({ headers: { 'X-API-Key': key } });
    expect(problem).toMatchObject({ status: 503, code: 'store_unavailable' });
    expect(headers.get('retry-after')).toBe('5');
  }
});

test('GET /api/capabilities lists what can be used', async () => {
  const response = await fetch(`${api.base}/api/capabilities`);
  expect(response.status).toBe(200);
  const { body } = await api.client.getCapabilities();
  expect(body).toMatchObject({
    detection_types: ['faces', 'objects'],
    models: [
      { name: 'faces', id: expect.any(Number), provides: ['age', 'landmarks'] },
      { name: 'objects', id: expect.any(Number), embedding_dim: null },
    ],
    pagination: { default_limit: 50, max_limit: 200 },
    limits: {
      image_bytes: 25 * 1024 * 1024,
      image_pixels: 50 * 2 ** 20,
      batch_images: 100,
      reprocess_images: 20,
      ids: 1000,
      label_characters: 200,
      search_characters: 200,
    },
  });
  expect(body!.formats).toContain('heic');
  expect(body!.features).toEqual(
    expect.arrayContaining(['idempotency_keys', 'detect_bulk', 'jobs', 'export', 'import']),
  );
});

test('GET /openapi.json describes all paths, without a key', async () => {
  const response = await fetch(`${api.base}/openapi.json`);
  expect(response.status).toBe(200);
  const { body } = await api.client.getOpenapi();
  expect(body).toMatchObject({ openapi: '3.1.1', info: { version: '1.2.3' } });
  expect(Object.keys(body!.paths as object)).toContain('/api/verify');
});

test.each(['/openapi.json', '/docs'])(
  'GET %s is not sent again to a caller that has it',
  async (path) => {
    const first = await fetch(api.base + path);
    const etag = first.headers.get('etag')!;
    expect((await first.arrayBuffer()).byteLength).toBeGreaterThan(100);
    const again = await fetch(api.base + path, { headers: { 'If-None-Match': etag } });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
    const other = await fetch(api.base + path, { headers: { 'If-None-Match': '"other"' } });
    expect(other.status).toBe(200);
    await other.body!.cancel();
  },
);

describe('GET /docs', () => {
  test('is a page without scripts of its own, all of whose files the service has', async () => {
    const { headers, body } = await api.client.getDocs();
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(body).not.toMatch(/<script>|https?:/);
    const files = [...body!.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, path]) => path!);
    expect(files).toHaveLength(4);
    for (const file of files) {
      const response = await fetch(api.base + file);
      expect([file, response.status]).toEqual([file, 200]);
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(100);
    }
  });

  test('shows no other file of the package', async () => {
    for (const file of [
      'index.html',
      'package.json',
      'swagger-ui-bundle.js.map',
      '../package.json',
    ]) {
      const response = await fetch(`${api.base}/docs/${encodeURIComponent(file)}`);
      expect([file, response.status]).toEqual([file, 404]);
    }
  });
});
