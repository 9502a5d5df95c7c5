import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { InferenceOverloaded, InferenceUnavailable } from '@sightline/core/models/model-errors';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { okWith } from '@sightline/test/support/services/ok';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { jobsOf } from '../../testing/jobs-of.ts';
import { faceAt, photo } from '../../testing/people.ts';

let api: ApiServer;
let images: readonly number[];

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = () => [faceAt(0)];
  const stored: number[] = [];
  for (const text of ['0', '1', '2']) {
    const { body } = await api.client.detectAll({ body: { file: photo(text) } });
    stored.push(body!.source_image_id);
  }
  images = stored;
});
afterAll(() => api[Symbol.asyncDispose]());

async function reprocess(body: object, query = '') {
  const response = await api.fetch(`/api/images/reprocess${query}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('POST /api/images/reprocess', () => {
  test('answers one result per image, in the order of the request', async () => {
    const [a, b, c] = images;
    const ids = [c!, a!, c!, b!];
    const answer = await api.client.reprocessImages({ body: { source_image_ids: ids } });
    const { results, ...batch } = okWith(200, answer);
    expect(batch).toEqual({ total: 3, type: 'all' });
    expect(results).toMatchObject(
      [c, a, b].map((id, index) => ({
        index,
        source_image_id: id,
        faces: [{ created: false }],
        objects: [{ created: false }],
      })),
    );
    expect(Object.keys(results[0]!).sort()).toEqual([
      'faces',
      'index',
      'objects',
      'source_image_id',
    ]);
  });

  test('takes type and replace for all', async () => {
    const { body } = await reprocess({
      source_image_ids: images,
      type: 'faces',
      replace: true,
    });
    expect(body).toMatchObject({
      type: 'faces',
      results: images.map(() => ({ faces: [{ created: true }], objects: [] })),
    });
  });

  test('an unknown image and one without its file fail alone', async () => {
    const [, b] = images;
    const unknown = Math.max(...images) + 1;
    await api.media.remove(await keysOfSources());
    const gone = await reprocess({ source_image_ids: [unknown, b] });
    expect(gone).toEqual({
      status: 200,
      body: {
        total: 2,
        type: 'all',
        results: [
          { index: 0, source_image_id: unknown, error: { code: 'not_found', detail: anyText } },
          { index: 1, source_image_id: b, error: { code: 'image_corrupt', detail: anyText } },
        ],
      },
    });
  });

  test('waits while inference is overloaded', async () => {
    let refusals = 2;
    api.analyzer.before = () =>
      refusals-- > 0 ? Promise.reject(new InferenceOverloaded(0.01)) : Promise.resolve();
    const { body } = await reprocess({ source_image_ids: images });
    expect(body).toMatchObject({ results: images.map(() => ({ faces: [{ created: false }] })) });
  });

  test('fails as a whole without inference', async () => {
    api.analyzer.before = () => Promise.reject(new InferenceUnavailable('No worker is running.'));
    const answer = await reprocess({ source_image_ids: images });
    expect(answer).toMatchObject({ status: 503, body: { code: 'inference_unavailable' } });
  });

  test('does nothing without ids', async () => {
    const { body } = await reprocess({ source_image_ids: [] });
    expect(body).toEqual({ total: 0, type: 'all', results: [] });
  });

  test('answers with a job, of as many images as there may be ids', async () => {
    const [a, b] = images;
    const ids = [a!, b!, a!];
    const answer = await api.client.reprocessImages({
      query: { async: true },
      body: { source_image_ids: ids, type: 'faces', replace: true },
    });
    const started = okWith(202, answer);
    expect(started).toEqual({ job_id: expect.any(Number), status: 'pending', total: 2 });
    expect(await jobsOf(api)).toMatchObject([
      {
        id: started.job_id,
        type: 'reprocess',
        params: { types: 'faces', replace: true },
        total: 2,
      },
    ]);
    const many = Array.from({ length: 1000 }, (_, i) => i + 1);
    expect(await reprocess({ source_image_ids: many }, '?async=true')).toMatchObject({
      status: 202,
      body: { total: 1000 },
    });
  });

  test('answers with a job that is done if there is nothing to do', async () => {
    const answer = await reprocess({ source_image_ids: [] }, '?async=true');
    expect(answer).toMatchObject({ status: 202, body: { status: 'done', total: 0 } });
  });

  test.each<[string, { readonly body: object; readonly query?: string }, string]>([
    ['no ids', { body: {} }, 'source_image_ids'],
    ['ids that are none', { body: { source_image_ids: ['a'] } }, 'source_image_ids.0'],
    [
      'more images than are done at once',
      { body: { source_image_ids: Array.from({ length: 21 }, (_, i) => i + 1) } },
      'source_image_ids',
    ],
    [
      '1,001 ids',
      { body: { source_image_ids: Array.from({ length: 1001 }, () => 1) } },
      'source_image_ids',
    ],
    ['another type', { body: { source_image_ids: [], type: 'face' } }, 'type'],
  ])('refuses %s', async (_, { body, query }, path) => {
    const answer = await reprocess(body, query);
    expect(answer).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ path }] },
    });
  });
});

const anyText = expect.any(String);

async function keysOfSources(): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const { key } of api.media.list('')) if (key.includes('/sources/')) keys.push(key);
  return keys;
}
