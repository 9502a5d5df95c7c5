import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { InferenceOverloaded } from '@sightline/core/models/model-errors';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import { ImageFetchFailed, UnsupportedFormat } from '@sightline/core/sources/image-errors';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';

let api: ApiServer;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
beforeEach(() => api.reset());
afterAll(() => api[Symbol.asyncDispose]());

const file = new File(['picture'], 'a.jpg');

describe('POST /api/test', () => {
  test('answers with faces and objects', async () => {
    const { status, body } = await api.client.testImage({ body: { file } });
    expect(status).toBe(200);
    expect(body).toEqual({
      faces: [
        {
          bbox: { x: 10, y: 20, w: 30, h: 40 },
          confidence: 0.9,
          label: null,
          similarity: null,
          identity_id: null,
          age: 30,
          gender: null,
          pose: [1, 2, 3],
          turned: 0,
        },
      ],
      objects: [
        { bbox: { x: 0, y: 0, w: 50, h: 50 }, confidence: 0.6, class_name: 'bicycle', class_id: 1 },
      ],
      counts: { faces: 1, objects: 1 },
      available: { faces: true, objects: true },
    });
  });

  test.each([
    ['a file', { file }, 'picture'],
    ['base64', { image_base64: 'data:image/png;base64,cGljdHVyZQ==' }, 'picture'],
    ['a URL', { image_url: 'http://images.test/a.jpg' }, 'http://images.test/a.jpg'],
  ])('takes %s', async (_, body, text) => {
    const answer = await api.client.testImage({ body });
    expect(answer.status).toBe(200);
    expect(api.analyzer.requests[0]!.text).toBe(text);
  });

  test.each(['; filename=""', ''])('takes a file with the file name "%s"', async (name) => {
    const photo = 'x'.repeat(1024 ** 2);
    const head = `Content-Disposition: form-data; name="file"${name}\r\nContent-Type: image/jpeg`;
    const answer = await api.fetch('/api/test', {
      method: 'POST',
      headers: { 'Content-Type': 'multipart/form-data; boundary=xyz' },
      body: `--xyz\r\n${head}\r\n\r\n${photo}\r\n--xyz--\r\n`,
    });
    expect(answer.status).toBe(200);
    expect(api.analyzer.requests[0]!.text).toBe(photo);
  });

  test('takes base64 and a URL as fields of a form', async () => {
    for (const [name, value, text] of [
      ['image_base64', 'cGljdHVyZQ', 'picture'],
      ['image_url', 'http://images.test/', 'http://images.test/'],
    ] as const) {
      const form = new FormData();
      form.set(name, value);
      const response = await api.fetch('/api/test', { method: 'POST', body: form });
      expect(response.status).toBe(200);
      expect(api.analyzer.requests.at(-1)!.text).toBe(text);
    }
  });

  test('detects the requested types; the body takes precedence over the query', async () => {
    await api.client.testImage({ query: { type: 'faces' }, body: { file } });
    await api.client.testImage({ query: { type: 'faces' }, body: { file, type: 'objects' } });
    const asked = api.analyzer.requests.map(({ faces, objects }) => [!!faces, !!objects]);
    expect(asked).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  test('skips a detector without a model', async () => {
    api.analyzer.models = [FACE_MODEL];
    const { body } = await api.client.testImage({ body: { file } });
    expect(body).toMatchObject({
      objects: [],
      counts: { faces: 1, objects: 0 },
      available: { faces: true, objects: false },
    });
  });

  test('refuses no image, two images and an unknown type', async () => {
    const none = await api.client.testImage({ body: {} });
    expect(none.problem).toMatchObject({ status: 400, code: 'image_source' });
    const noBody = await api.fetch('/api/test', { method: 'POST' });
    expect(noBody.status).toBe(400);
    expect(await noBody.json()).toMatchObject({ code: 'image_source' });
    const two = await api.client.testImage({ body: { file, image_base64: 'AAAA' } });
    expect(two.problem).toMatchObject({ status: 400, code: 'image_source' });
    const type = await api.client.testImage({ body: { file, type: 'cats' as 'faces' } });
    expect(type.problem).toMatchObject({ code: 'invalid_request', errors: [{ path: 'type' }] });
    expect(api.analyzer.requests).toEqual([]);
  });

  test('names the accepted content types', async () => {
    const response = await api.fetch('/api/test', { method: 'POST', body: 'text' });
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({
      code: 'unsupported_media_type',
      detail: 'The media type of the body must be multipart/form-data or application/json.',
    });
  });

  test('refuses an invalid URL', async () => {
    const { problem } = await api.client.testImage({ body: { image_url: 'not a url' } });
    expect(problem).toMatchObject({ code: 'invalid_request', errors: [{ path: 'image_url' }] });
  });

  test.each([
    [new UnsupportedFormat('Not an image.'), 415, null],
    [new InferenceOverloaded(4), 429, '4'],
  ])('turns %s into a problem', async (error, status, retryAfter) => {
    api.analyzer.before = () => Promise.reject(error);
    const answer = await api.client.testImage({ body: { file } });
    expect(answer.problem).toMatchObject({ status, code: error.code, detail: error.message });
    expect(answer.headers.get('retry-after')).toBe(retryAfter);
  });

  test('hides the details of unexpected errors', async () => {
    api.analyzer.before = () => Promise.reject(new Error('/secret/path'));
    const { problem } = await api.client.testImage({ body: { file } });
    expect(problem).toMatchObject({ status: 500, code: 'internal_error' });
    expect(JSON.stringify(problem)).not.toContain('secret');
  });

  test('aborts the work when the client disconnects', async () => {
    const aborted = Promise.withResolvers<unknown>();
    const begun = Promise.withResolvers<string>();
    api.analyzer.before = (text, signal) => {
      begun.resolve(text);
      return new Promise((_, reject) => {
        signal!.addEventListener('abort', () => {
          aborted.resolve(signal!.reason);
          reject(signal!.reason as Error);
        });
      });
    };
    const request = httpRequest(`${api.base}/api/test`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': api.key },
    });
    request.on('error', () => undefined);
    request.end('{"image_base64":"AAAA"}');
    await begun.promise;
    request.destroy();
    await expect(aborted.promise).resolves.toMatchObject({ name: 'ClientDisconnected' });
  });
});

test('an image that cannot be fetched is a problem of its own', async () => {
  const fetchImage = () => Promise.reject(new ImageFetchFailed());
  await using server = await startApi(createMigratedDatabase, { fetchImage });
  const { problem } = await server.client.testImage({ body: { image_url: 'http://10.0.0.1/' } });
  expect(problem).toMatchObject({ status: 422, code: 'image_fetch_failed' });
});

test('an image over the limit is refused, uploaded or as base64', async () => {
  const imageLimits = { maxBytes: 5, maxPixels: 1, maxPixelsInFlight: 1 };
  await using server = await startApi(createMigratedDatabase, { imageLimits });
  for (const body of [{ file }, { image_base64: 'cGljdHVyZQ==' }]) {
    const { problem } = await server.client.testImage({ body });
    expect(problem).toMatchObject({ status: 413, code: 'image_too_large' });
  }
});
