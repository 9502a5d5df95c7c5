import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ApiServer, startApi } from '../testing/api-server.ts';

let api: ApiServer;

beforeAll(async () => {
  api = await startApi({ healthChecks: { media: () => Promise.reject(new Error('down')) } });
});
afterAll(() => api[Symbol.asyncDispose]());

test('GET /api/health tells what works', async () => {
  const { status, body } = await api.client.getHealth();
  expect(status).toBe(200);
  expect(body).toEqual({
    status: 'degraded',
    version: '1.2.3',
    provider: 'cpu',
    models: [
      { task: 'face', name: 'faces', id: null, revision: 'f'.repeat(64) },
      { task: 'object', name: 'objects', id: null, revision: 'f'.repeat(64) },
    ],
    checks: {
      database: 'not_configured',
      vectors: 'not_configured',
      media: 'failed',
      events: 'not_configured',
    },
    uptime_seconds: expect.any(Number),
  });
});

test('GET /api/health is 503 when nothing can be answered', async () => {
  await using server = await startApi();
  server.analyzer.ready = false;
  const { status, body } = await server.client.getHealth();
  expect(status).toBe(503);
  expect(body).toMatchObject({ status: 'unavailable' });
});

test('GET /api/capabilities tells what can be used', async () => {
  const { body } = await api.client.getCapabilities();
  expect(body).toMatchObject({
    detection_types: ['faces', 'objects'],
    models: [
      { name: 'faces', provides: ['age', 'landmarks'], embedding_dim: 2 },
      { name: 'objects', embedding_dim: null },
    ],
    pagination: { default_limit: 50, max_limit: 200 },
    limits: { image_bytes: 25 * 1024 * 1024, batch_images: 100 },
  });
  expect(body!.formats).toContain('heic');
});

test('GET /openapi.json describes all paths', async () => {
  const { body } = await api.client.getOpenapi();
  expect(body).toMatchObject({ openapi: '3.1.1', info: { version: '1.2.3' } });
  expect(Object.keys(body!.paths as object)).toContain('/api/verify');
});

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
