import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Client } from '@sightline/contracts/client';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { okWith } from '../support/services/ok.ts';
import { type SharedService, sharedService } from '../support/services/shared-service.ts';

describe('the HTTP conventions', () => {
  let service: SharedService;
  let client: Client;

  beforeAll(async () => {
    service = await sharedService('standalone');
    client = service.client;
  });

  afterAll(async () => {
    await service[Symbol.asyncDispose]();
  });

  const getWithoutKey = (path: string, init?: RequestInit) => fetch(service.url + path, init);

  async function problemOf(response: Response) {
    expect(response.headers.get('content-type')).toMatch(/^application\/problem\+json/);
    const problem = (await response.json()) as Record<string, unknown>;
    expect(problem).toMatchObject({
      status: response.status,
      request_id: response.headers.get('x-request-id'),
      type: expect.any(String),
      title: expect.any(String),
      detail: expect.any(String),
    });
    return problem;
  }

  describe('an image source', () => {
    test('has to be given exactly once', async () => {
      const file = await drawPhoto({ faces: ['Beatrice'] });
      const none = await client.testImage({ body: {} });
      const two = await client.testImage({ body: { file, image_base64: 'AAAA' } });
      const empty = await client.testImage({ body: { image_base64: '' } });
      for (const { status, problem } of [none, two, empty]) {
        expect({ status, code: problem?.code }).toEqual({ status: 400, code: 'image_source' });
      }
    });

    test.each([
      { kind: 'text', content: 'hello', status: 415, code: 'unsupported_format' },
      { kind: 'SVG', content: '<svg/>', status: 415, code: 'unsupported_format' },
      {
        kind: 'a JPEG that ends early',
        content: '\xff\xd8\xff\xe0\x00\x10JFIF',
        status: 422,
        code: 'image_corrupt',
      },
    ])('that is $kind is refused with its code', async ({ content, status, code }) => {
      const file = new File([Buffer.from(content, 'latin1')], 'photo.jpg');
      const { problem } = await client.testImage({ body: { file } });
      expect(problem).toMatchObject({ status, code });
    });

    test('of more than 25 MiB is 413', async () => {
      const file = new File([new Uint8Array(26 * 1024 * 1024)], 'large.jpg');
      const { problem } = await client.testImage({ body: { file } });
      expect(problem).toMatchObject({ status: 413, code: 'image_too_large' });
    });

    test.each([
      'http://169.254.169.254/latest/meta-data/',
      'http://2852039166/',
      'http://[::ffff:a9fe:a9fe]/',
      'ftp://127.0.0.1/a.jpg',
      // No server listens at this port, and no host name ends like this (RFC 2606).
      'http://127.0.0.1:1/a.jpg',
      'http://photos.invalid/a.jpg',
    ])('at %s cannot be fetched, without a word about why', async (image_url) => {
      const { problem } = await client.testImage({ body: { image_url } });
      expect(problem).toMatchObject({
        status: 422,
        code: 'image_fetch_failed',
        detail: 'The image at this URL cannot be fetched.',
      });
    });

    test("is not read from the service's own listeners", async () => {
      for (const url of [service.url, service.opsUrl!]) {
        const { problem } = await client.testImage({ body: { image_url: `${url}/metrics` } });
        expect(problem).toMatchObject({ status: 422, code: 'image_fetch_failed' });
      }
    });
  });

  test("a webhook at one of the service's own listeners is refused at once", async () => {
    const { id } = okWith(
      201,
      await client.registerWebhook({ body: { url: 'https://hooks.invalid/' } }),
    );
    for (const own of [service.url, service.opsUrl!]) {
      const url = `${own.replace('localhost', '127.0.0.1')}/hook`;
      const answers = [
        await client.registerWebhook({ body: { url } }),
        await client.changeWebhook({ path: { id }, body: { url } }),
        await client.putSetting({ path: { key: 'webhook.url' }, body: { value: url } }),
      ];
      for (const { problem } of answers) {
        expect(problem).toMatchObject({ status: 422, code: 'target_refused' });
      }
    }
    await client.deleteWebhook({ path: { id } });
  });

  test('an unknown path is 404 and a wrong method 405 with Allow', async () => {
    const unknown = await getWithoutKey('/api/nothing');
    expect(await problemOf(unknown)).toMatchObject({ code: 'not_found' });
    const wrong = await getWithoutKey('/api/test');
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('allow')).toContain('POST');
    expect(await problemOf(wrong)).toMatchObject({ code: 'method_not_allowed' });
  });

  test('a value that is not allowed is named', async () => {
    const response = await service.fetch('/api/test?type=cats', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(400);
    expect(await problemOf(response)).toMatchObject({
      code: 'invalid_request',
      errors: [{ path: expect.stringContaining('type') as unknown }],
    });
  });

  test('a request id is kept if it is sane and replaced if not', async () => {
    const sane = await getWithoutKey('/api/health', { headers: { 'x-request-id': 'abc-123' } });
    expect(sane.headers.get('x-request-id')).toBe('abc-123');
    const strange = await getWithoutKey('/api/health', { headers: { 'x-request-id': 'a b"c' } });
    expect(strange.headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{8,}$/);
  });

  test('any origin may ask, without credentials', async () => {
    const preflight = await getWithoutKey('/api/test', {
      method: 'OPTIONS',
      headers: { origin: 'https://example.org', 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe('*');
    expect(preflight.headers.get('access-control-allow-credentials')).toBeNull();
    expect(preflight.headers.get('access-control-allow-headers')).toMatch(/X-API-Key/i);
    const answer = await getWithoutKey('/api/health', {
      headers: { origin: 'https://example.org' },
    });
    expect(answer.headers.get('access-control-expose-headers')).toMatch(/X-Request-Id/i);
  });

  test('the documentation is served from here alone', async () => {
    const page = await getWithoutKey('/docs');
    expect(page.status).toBe(200);
    const html = await page.text();
    const sources = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
    expect(sources.length).toBeGreaterThan(1);
    for (const source of sources) {
      expect(source).not.toMatch(/^(https?:)?\/\//);
      const asset = await fetch(new URL(source, `${service.url}/docs`));
      expect({ source, status: asset.status }).toEqual({ source, status: 200 });
    }
  });

  test('an upload that breaks off does no harm', async () => {
    await new Promise<void>((resolve) => {
      const upload = request(`${service.url}/api/test`, {
        method: 'POST',
        headers: {
          'content-type': 'multipart/form-data; boundary=b',
          'content-length': '100000',
          'x-api-key': service.apiKey,
        },
      });
      upload.on('error', () => resolve());
      upload.write(
        '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
        // By now the part is sent, and the server is about to read it.
        () => upload.destroy(new Error('gone')),
      );
    });
    expect((await getWithoutKey('/api/health')).status).toBe(200);
  });

  describe('the operations listener', () => {
    test('says that the process lives and is ready', async () => {
      for (const path of ['/livez', '/readyz']) {
        expect((await fetch(service.opsUrl! + path)).status).toBe(200);
      }
      expect((await fetch(`${service.opsUrl}/api/health`)).status).toBe(404);
    });

    test('counts requests by route and times inference by stage and model', async () => {
      const file = await drawPhoto({ faces: ['Ada', 'Bea'] });
      await client.testImage({ body: { file } });
      await client.testImage({ body: { file: new File(['x'], 'x') } });
      await getWithoutKey('/api/no/such/path');
      const metrics = await (await fetch(`${service.opsUrl}/metrics`)).text();
      for (const sample of [
        /^sightline_http_requests_total\{.*route="\/api\/test".*status_class="2xx".*\} \d+$/m,
        /^sightline_http_request_duration_seconds_bucket\{/m,
        /^sightline_inference_queue_wait_seconds_count/m,
        /^sightline_inference_stage_duration_seconds_count\{.*stage="detect".*model="toy-(faces|objects)".*\} \d+$/m,
        /^sightline_decode_failures_total\{reason="unsupported_format"\} [1-9]/m,
        /^nodejs_eventloop_lag_p99_seconds /m,
        /^process_resident_memory_bytes \d+/m,
      ]) {
        expect(metrics).toMatch(sample);
      }
      expect(metrics).not.toContain('/api/no/such/path');
    });
  });

  test('the log has one line per request and no query strings, image URLs or keys', async () => {
    const ask = (path: string, id: string, init: RequestInit) =>
      service.fetch(path, { method: 'POST', ...init, headers: { 'x-request-id': id } });
    const image = new FormData();
    image.append('image_url', 'http://127.0.0.1:1/a.jpg?token=open-sesame');
    const ids = ['image-url-with-token', 'query-with-secret'] as const;
    expect((await ask('/api/test', ids[0], { body: image })).status).toBe(422);
    expect((await ask('/api/test?secret=open-sesame', ids[1], {})).status).toBe(400);
    const linesOf = (id: string) =>
      service.log
        .map((line) => JSON.parse(line) as Record<string, unknown>)
        .filter(({ request_id, status }) => request_id === id && status !== undefined);
    // The service logs a request after it has answered.
    while (ids.some((id) => linesOf(id).length === 0)) await sleep(20);
    for (const id of ids) expect(linesOf(id)).toHaveLength(1);
    const log = service.log.join('\n');
    expect(log).not.toContain('open-sesame');
    for (const key of [service.apiKey, service.adminKey]) expect(log).not.toContain(key);
  });
});
