import { describe, expect, test } from '@jest/globals';
import { ZodError } from 'zod';
import { createClient } from './client.ts';

interface Sent {
  url: string;
  init: RequestInit;
}

const verification = {
  similarity: 0.7,
  match: true,
  threshold: 0.5,
  face1: face(),
  face2: face(),
};

function face() {
  return {
    bbox: { x: 1, y: 2, w: 3, h: 4 },
    confidence: 0.9,
    age: null,
    gender: null,
    turned: 0,
    pose: [1, 2, 3],
    count: 1,
  };
}

/** A client that records its requests. Every request gets the same answer. */
function clientThatGets(status: number, body: unknown, type: string | null = 'application/json') {
  const sent: Sent[] = [];
  const client = createClient({
    baseUrl: 'http://sightline.test',
    apiKey: 'secret',
    fetch: (url, init) => {
      sent.push({ url: url as string, init: init! });
      if (type === null) return Promise.resolve(new Response(null, { status }));
      const content = body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body);
      return Promise.resolve(new Response(content, { status, headers: { 'content-type': type } }));
    },
  });
  return { client, sent };
}

describe('the client', () => {
  test('sends a body without files as JSON and parameters as a query', async () => {
    const { client, sent } = clientThatGets(200, verification);
    const answer = await client.verifyFaces({
      query: { threshold: 0.25 },
      body: { image1_base64: 'AAAA', image2_url: 'https://a.test/b.jpg' },
    });
    expect(answer).toMatchObject({ status: 200, body: verification, problem: null });
    expect(sent[0]!.url).toBe('http://sightline.test/api/verify?threshold=0.25');
    expect(sent[0]!.init).toMatchObject({
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': 'secret' },
      body: '{"image1_base64":"AAAA","image2_url":"https://a.test/b.jpg"}',
    });
  });

  test('sends a body with files as a form, arrays as repeated parts', async () => {
    const { client, sent } = clientThatGets(200, { total: 1, type: 'faces', results: [] });
    const files = [new File(['a'], 'a.jpg'), new File(['b'], 'b.jpg')];
    await client.testBatch({ body: { file: files, type: 'faces' } });
    const form = sent[0]!.init.body as FormData;
    expect(form.getAll('file').map((part) => (part as File).name)).toEqual(['a.jpg', 'b.jpg']);
    expect(form.get('type')).toBe('faces');
  });

  test('sends a file without a name, such as a downloaded file, as a file', async () => {
    const { client, sent } = clientThatGets(200, { total: 1, type: 'faces', results: [] });
    await client.testBatch({ body: { file: [new File(['a'], '')] } });
    const form = sent[0]!.init.body as FormData;
    expect(form.getAll('file').map((part) => (part as File).name)).toEqual(['blob']);
  });

  test('answers a problem as a problem', async () => {
    const problem = {
      type: 'about:blank',
      title: 'Wrong number of faces',
      status: 422,
      detail: 'Image 1 has no face.',
      code: 'face_count',
      request_id: 'r1',
      faces: 0,
    };
    const { client } = clientThatGets(422, problem, 'application/problem+json');
    const answer = await client.verifyFaces({ body: {} });
    expect(answer).toMatchObject({ status: 422, body: null, problem });
  });

  test('accepts any status of the contract as an answer', async () => {
    const health = {
      status: 'unavailable',
      version: '1',
      provider: null,
      models: [],
      checks: { database: 'failed', vectors: 'ok', media: 'ok', events: 'failed' },
      reasons: [],
      reembed: null,
      index: null,
      events: null,
      uptime_seconds: 3,
    };
    const { client } = clientThatGets(503, health);
    await expect(client.getHealth()).resolves.toMatchObject({ status: 503, body: health });
  });

  test('fills the path, and repeats a query parameter with several values', async () => {
    const { client, sent } = clientThatGets(200, { ids: [1, 2] });
    const since = '2026-11-20T10:00:00.000Z';
    const query = { identity_id: [3, 4], no_crops: true, since, until: undefined };
    await expect(client.listImageIds({ query })).resolves.toMatchObject({ body: { ids: [1, 2] } });
    await client.getSetting({ path: { key: 'a/b' } }).catch(() => undefined);
    expect(sent.map(({ url }) => url)).toEqual([
      'http://sightline.test/api/images/ids?identity_id=3&identity_id=4&no_crops=true&since=2026-11-20T10%3A00%3A00.000Z',
      'http://sightline.test/api/settings/a%2Fb',
    ]);
  });

  test('answers without a body', async () => {
    const { client } = clientThatGets(204, undefined, null);
    const answer = await client.deleteIdentity({ path: { id: 7 } });
    expect(answer).toMatchObject({ status: 204, body: undefined, problem: null });
  });

  test('answers a file as its bytes', async () => {
    const { client } = clientThatGets(200, Uint8Array.of(0xff, 0xd8), 'image/jpeg');
    const { body } = await client.getSourceFile({ path: { id: 7, hash: 'aa' } });
    expect(body).toMatchObject({ type: 'image/jpeg' });
    expect(new Uint8Array(await body!.arrayBuffer())).toEqual(Uint8Array.of(0xff, 0xd8));
  });

  test('sends a single request with another key', async () => {
    const { client, sent } = clientThatGets(204, undefined, null);
    await client.deleteIdentity({ path: { id: 7 }, headers: { 'X-API-Key': 'other' } });
    expect(sent[0]!.init.headers).toEqual({ 'X-API-Key': 'other' });
  });

  test('refuses an answer that violates the contract', async () => {
    const { client } = clientThatGets(200, { ...verification, similarity: 'high' });
    await expect(client.verifyFaces({ body: {} })).rejects.toBeInstanceOf(ZodError);
  });
});
