import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { OBJECT_MODEL } from '@sightline/core/models/testing/sample-models';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { countsOf } from '../../testing/counts-of.ts';
import { oneFace, photo } from '../../testing/people.ts';

let api: ApiServer;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = oneFace;
  for (const [name, degrees] of [
    ['Anna', 0],
    ['Berta', 70],
    ['Clara', 120],
  ] as const) {
    await api.client.enrollFace({ body: { name, file: photo(String(degrees)) } });
  }
});
afterAll(() => api[Symbol.asyncDispose]());

describe('POST /api/identify', () => {
  test('answers the identity and suggestions', async () => {
    const { status, body } = await api.client.identifyFaces({ body: { file: photo('10') } });
    expect(status).toBe(200);
    expect(body).toEqual({
      threshold: 0.5,
      faces: [
        {
          bbox: { x: 10, y: 20, w: 30, h: 40 },
          confidence: 0.9,
          identity_id: expect.any(Number),
          label: 'Anna',
          similarity: expect.closeTo(Math.cos(Math.PI / 18), 6),
          suggestions: [
            { identity_id: expect.any(Number), label: 'Anna', similarity: expect.any(Number) },
            expect.objectContaining({ label: 'Berta', similarity: expect.closeTo(0.5, 6) }),
            expect.objectContaining({ label: 'Clara' }),
          ],
          age: 30,
          gender: null,
          pose: [1, 2, 3],
          turned: 0,
        },
      ],
    });
  });

  test('stores nothing', async () => {
    const before = await api.client.getStats();
    await api.client.identifyFaces({ body: { file: photo('10') } });
    const after = await api.client.getStats();
    expect(countsOf(after.body!)).toEqual(countsOf(before.body!));
  });

  test('takes threshold and top_n from the body before the query', async () => {
    const { body } = await api.client.identifyFaces({
      query: { threshold: 0.1, top_n: 3 },
      body: { file: photo('10'), threshold: '0.999', top_n: '1' },
    });
    expect(body).toMatchObject({
      threshold: 0.999,
      faces: [{ identity_id: null, label: null, similarity: expect.closeTo(0.985, 3) }],
    });
    expect(body!.faces[0]!.suggestions).toHaveLength(1);
    const byQuery = await api.client.identifyFaces({
      query: { threshold: 0.999, top_n: 2 },
      body: { image_base64: Buffer.from('10').toString('base64') },
    });
    expect(byQuery.body).toMatchObject({ threshold: 0.999 });
    expect(byQuery.body!.faces[0]!.suggestions).toHaveLength(2);
  });

  test.each([{ top_n: 0 }, { top_n: 51 }, { top_n: 1.5 }, { threshold: 2 }])(
    'refuses %j',
    async (fields) => {
      const { problem } = await api.client.identifyFaces({ body: { file: photo('0'), ...fields } });
      expect(problem).toMatchObject({
        status: 400,
        errors: [{ path: Object.keys(fields)[0] }],
      });
    },
  );

  test('uses changed settings of the environment from the next request on', async () => {
    await api.client.putSetting({
      path: { key: 'face.match_threshold' },
      body: { value: 0.99 },
    });
    const { body } = await api.client.identifyFaces({ body: { file: photo('10') } });
    expect(body).toMatchObject({ threshold: 0.99, faces: [{ identity_id: null }] });
  });

  test('needs a face model', async () => {
    api.analyzer.models = [OBJECT_MODEL];
    const { problem } = await api.client.identifyFaces({ body: { file: photo('10') } });
    expect(problem).toMatchObject({ status: 503, code: 'no_active_model' });
  });

  test('answers without identities if none is enrolled', async () => {
    await api.reset();
    api.analyzer.facesOf = oneFace;
    const { body } = await api.client.identifyFaces({ body: { file: photo('10') } });
    expect(body!.faces).toMatchObject([{ identity_id: null, similarity: null, suggestions: [] }]);
  });
});

describe('who a face is', () => {
  test('is in the answers of /api/test and /api/test/batch, too', async () => {
    const { body } = await api.client.testImage({ body: { file: photo('10') } });
    const anna = { label: 'Anna', identity_id: expect.any(Number), similarity: expect.any(Number) };
    expect(body!.faces).toMatchObject([anna]);
    const batch = await api.client.testBatch({ body: { file: [photo('200'), photo('10')] } });
    expect(batch.body!.results).toMatchObject([
      { faces: [{ label: null, identity_id: null, similarity: expect.any(Number) }] },
      { faces: [anna] },
    ]);
  });

  test('is unavailable while the index is down', async () => {
    const { vectors } = api;
    const search = vectors.searchIdentities.bind(vectors);
    vectors.searchIdentities = () => Promise.reject(new VectorsUnavailable('The index is down.'));
    const { problem, headers } = await api.client.identifyFaces({ body: { file: photo('10') } });
    vectors.searchIdentities = search;
    expect(problem).toMatchObject({ status: 503, code: 'vectors_unavailable' });
    expect(headers.get('retry-after')).toBe('5');
  });
});
