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
    pose: [1, 2, 3],
    count: 1,
  };
}

/** A client whose requests are kept and all get one answer. */
function clientThatGets(status: number, body: unknown, type = 'application/json') {
  const sent: Sent[] = [];
  const client = createClient({
    baseUrl: 'http://sightline.test',
    fetch: (url, init) => {
      sent.push({ url: url as string, init: init! });
      const headers = { 'content-type': type };
      return Promise.resolve(new Response(JSON.stringify(body), { status, headers }));
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
      headers: { 'Content-Type': 'application/json' },
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

  test('gives a problem as a problem', async () => {
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

  test('takes a status that the contract names as an answer, whatever it is', async () => {
    const health = {
      status: 'unavailable',
      version: '1',
      provider: null,
      models: [],
      checks: {
        database: 'not_configured',
        vectors: 'not_configured',
        media: 'not_configured',
        events: 'not_configured',
      },
      uptime_seconds: 3,
    };
    const { client } = clientThatGets(503, health);
    await expect(client.getHealth()).resolves.toMatchObject({ status: 503, body: health });
  });

  test('refuses an answer that is not of the contract', async () => {
    const { client } = clientThatGets(200, { ...verification, similarity: 'high' });
    await expect(client.verifyFaces({ body: {} })).rejects.toBeInstanceOf(ZodError);
  });
});
