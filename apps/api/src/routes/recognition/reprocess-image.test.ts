import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { InferenceOverloaded } from '@sightline/core/models/model-errors';
import { FACE_MODEL, OBJECT_MODEL } from '@sightline/core/models/testing/sample-models';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { okWith } from '@sightline/test/support/services/ok';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { jobsOf } from '../../testing/jobs-of.ts';
import { faceAt, photo } from '../../testing/people.ts';

let api: ApiServer;
let image: number;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = () => [faceAt(0)];
  const detected = await api.client.detectAll({
    body: { file: photo('0'), external_ref: 'album/1' },
  });
  image = detected.body!.source_image_id;
});
afterAll(() => api[Symbol.asyncDispose]());

const reprocess = (query: object = {}) => api.client.reprocessImage({ path: { id: image }, query });

describe('POST /api/images/{id}/reprocess', () => {
  test('answers like detection of the same bytes', async () => {
    const detected = await api.client.detectAll({ body: { file: photo('0') } });
    const { status, body } = await reprocess();
    expect(status).toBe(200);
    expect(body).toEqual(detected.body);
    expect(body).toMatchObject({ reused: true, external_ref: 'album/1' });
  });

  test.each([
    ['faces', { faces: 1, objects: 0 }],
    ['objects', { faces: 0, objects: 1 }],
    ['all', { faces: 1, objects: 1 }],
  ] as const)('finds %s', async (type, counts) => {
    expect((await reprocess({ type })).body).toMatchObject({ counts });
  });

  test.each(['true', '1'])('replaces what is there (%s)', async (replace) => {
    const before = okWith(200, await reprocess());
    const replaced = okWith(200, await reprocess({ type: 'faces', replace }));
    expect(replaced.faces).toMatchObject([{ created: true }]);
    const [face] = before.faces;
    const gone = await api.client.getDetection({ path: { id: face!.detection_id } });
    expect(gone.problem).toMatchObject({ status: 404 });
    const [object] = before.objects;
    const kept = await api.client.getDetection({ path: { id: object!.detection_id } });
    expect(kept.status).toBe(200);
  });

  test('shows a box that a person drew as one of no class', async () => {
    const drawn = await api.client.createDetection({
      path: { id: image },
      body: { type: 'object', bbox: { x: 0, y: 0, w: 49, h: 50 }, label: 'Rex' },
    });
    const objects = await api.client.detectObjects({ body: { file: photo('0') } });
    // The found object matches the stored bicycle, because the bicycle's box overlaps it more than the drawn box does.
    expect(objects.body!.objects).toMatchObject([{ class_name: 'bicycle', created: false }]);
    await api.client.deleteDetection({ path: { id: objects.body!.objects[0]!.detection_id } });
    expect(okWith(200, await reprocess({ type: 'objects' })).objects).toMatchObject([
      { detection_id: drawn.body!.detection_id, class_name: null, class_id: null, label: 'Rex' },
    ]);
  });

  test.each([
    ['another type', { type: 'face' }, 'type'],
    ['a flag that is none', { replace: 'maybe' }, 'replace'],
  ])('refuses %s', async (_, query, path) => {
    const { problem } = await reprocess(query);
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request', errors: [{ path }] });
  });

  test('needs a model of the type', async () => {
    api.analyzer.models = [OBJECT_MODEL];
    expect((await reprocess({ type: 'faces' })).problem).toMatchObject({
      status: 503,
      code: 'no_active_model',
    });
    expect((await reprocess()).body).toMatchObject({ counts: { faces: 0, objects: 1 } });
    api.analyzer.models = [FACE_MODEL];
    expect((await reprocess({ type: 'objects' })).problem).toMatchObject({ status: 503 });
  });

  test('of an image whose file is missing is 422', async () => {
    for await (const { key } of api.media.list('')) {
      if (key.includes('/sources/')) await api.media.remove([key]);
    }
    const { problem } = await reprocess();
    expect(problem).toMatchObject({ status: 422, code: 'image_corrupt' });
  });

  test('is 404 for an unknown image', async () => {
    const { problem } = await api.client.reprocessImage({ path: { id: image + 1 } });
    expect(problem).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('answers with a job, even if the queue is full', async () => {
    api.analyzer.admit = () => {
      throw new InferenceOverloaded(3);
    };
    const started = okWith(202, await reprocess({ async: true, type: 'objects' }));
    expect(started).toEqual({ job_id: expect.any(Number), status: 'pending' });
    expect(await jobsOf(api)).toMatchObject([
      { id: started.job_id, params: { types: 'objects', replace: false }, total: 1 },
    ]);
  });

  test('creates no job for an unknown image', async () => {
    const path = { id: image + 1 };
    const { problem } = await api.client.reprocessImage({ path, query: { async: true } });
    expect(problem).toMatchObject({ status: 404, code: 'not_found' });
    expect(await jobsOf(api)).toEqual([]);
  });

  test('takes its turn: a tenant whose share of the queue is used is refused at once', async () => {
    const before = api.analyzer.requests.length;
    api.analyzer.admit = ({ caller }) => {
      throw caller.startsWith('key-') ? new InferenceOverloaded(3) : new Error('no tenant');
    };
    const { problem, headers } = await reprocess();
    expect(problem).toMatchObject({ status: 429, code: 'overloaded' });
    expect(headers.get('retry-after')).toBe('3');
    expect(api.analyzer.requests).toHaveLength(before);
  });
});
