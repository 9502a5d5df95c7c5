import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { FACE_MODEL, OBJECT_MODEL } from '@sightline/core/models/testing/sample-models';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { faceAt, oneFace, photo } from '../../testing/people.ts';

let api: ApiServer;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = oneFace;
});
afterAll(() => api[Symbol.asyncDispose]());

const anId = expect.any(Number);
const aMediaUrl = (kind: string, id: number) =>
  expect.stringMatching(new RegExp(`^/media/${kind}/${id}/[0-9a-f]{64}\\.jpg$`));

describe('POST /api/detect/faces', () => {
  test('answers the stored detections', async () => {
    const landmarks = [1, 2, 3, 4, 5].map((i) => ({ x: i + 0.5, y: 2 * i }));
    api.analyzer.facesOf = () => [faceAt(0, { landmarks })];
    const { status, body } = await api.client.detectFaces({
      body: { file: photo('0'), external_ref: 'album/1' },
    });
    expect(status).toBe(200);
    const { source_image_id: source, faces } = body!;
    const { detection_id: id } = faces[0]!;
    expect(body).toEqual({
      source_image_id: anId,
      source_image_url: aMediaUrl('sources', source),
      external_ref: 'album/1',
      width: 100,
      height: 100,
      reused: false,
      model: {
        faces: { task: 'face', name: 'faces', id: anId, revision: FACE_MODEL.revision },
        objects: null,
      },
      faces: [
        {
          detection_id: id,
          bbox: { x: 10, y: 20, w: 30, h: 40 },
          confidence: 0.9,
          quality: 0.95,
          landmarks,
          identity_id: null,
          label: null,
          similarity: null,
          review_status: 'pending',
          enrolled: false,
          created: true,
          crop_url: aMediaUrl('crops', id),
          suggestions: [],
          age: 30,
          gender: null,
          pose: [1, 2, 3],
          turned: 0,
        },
      ],
      objects: [],
      counts: { faces: 1, objects: 0 },
    });
  });

  test('knows an image again, and keeps what the request does not change', async () => {
    const first = await api.client.detectFaces({
      body: { file: photo('0'), external_ref: 'album/1' },
    });
    const again = await api.client.detectFaces({
      body: { image_base64: Buffer.from('0').toString('base64'), external_ref: '' },
    });
    expect(again.body).toMatchObject({
      source_image_id: first.body!.source_image_id,
      external_ref: 'album/1',
      reused: true,
      faces: [{ detection_id: first.body!.faces[0]!.detection_id, created: false }],
    });
    const other = await api.client.detectFaces({
      body: { file: photo('0'), external_ref: 'album/2' },
    });
    expect(other.body).toMatchObject({ external_ref: 'album/2', reused: true });
  });

  test.each([
    ['JSON', { image_base64: 'MA==', replace: true }],
    ['a form', { file: photo('0'), replace: 'true' as const }],
  ])('replaces earlier detections, requested in %s', async (_, body) => {
    const first = await api.client.detectFaces({ body: { file: photo('0') } });
    const again = await api.client.detectFaces({ body });
    expect(again.body).toMatchObject({ reused: true, faces: [{ created: true }] });
    const before = first.body!.faces[0]!.detection_id;
    expect(again.body!.faces[0]!.detection_id).not.toBe(before);
    const gone = await api.client.getDetection({ path: { id: before } });
    expect(gone.problem).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('labels the most certain face, and matches the others', async () => {
    await api.client.enrollFace({ body: { file: photo('90'), name: 'Bert' } });
    const boxes = [0, 200, 400].map((x) => ({ x, y: 0, w: 50, h: 50 }));
    api.analyzer.facesOf = () => [
      faceAt(90, { bbox: boxes[0]!, confidence: 0.7 }),
      faceAt(0, { bbox: boxes[1]!, confidence: 0.9 }),
      faceAt(45, { bbox: boxes[2]!, confidence: 0.8 }),
    ];
    const { body } = await api.client.detectFaces({
      body: { file: photo('group'), label: ' Anna ' },
    });
    const byPlace = new Map(body!.faces.map((face) => [face.bbox.x, face]));
    expect(byPlace.get(200)).toMatchObject({
      label: 'Anna',
      review_status: 'confirmed',
      enrolled: true,
    });
    expect(byPlace.get(0)).toMatchObject({
      label: 'Bert',
      review_status: 'pending',
      enrolled: false,
      similarity: expect.closeTo(1, 6),
    });
    expect(byPlace.get(400)).toMatchObject({ label: null, review_status: 'pending' });
    const { suggestions } = byPlace.get(400)!;
    expect(suggestions).toMatchObject([{ label: 'Bert', similarity: expect.closeTo(0.707, 3) }]);
  });

  test('needs a face model', async () => {
    api.analyzer.models = [OBJECT_MODEL];
    const { problem, headers } = await api.client.detectFaces({ body: { file: photo('0') } });
    expect(problem).toMatchObject({ status: 503, code: 'no_active_model' });
    expect(headers.get('retry-after')).toBe('30');
  });

  test.each([
    ['no image', {}, 'image_source'],
    ['two images', { image_base64: 'MA==', image_url: 'http://a.test/' }, 'image_source'],
    ['a label of nothing', { image_base64: 'MA==', label: ' ' }, 'invalid_request'],
    ['a null character', { image_base64: 'MA==', external_ref: 'a\0b' }, 'invalid_request'],
  ])('refuses %s, and stores nothing', async (_, body, code) => {
    const { problem } = await api.client.detectFaces({ body });
    expect(problem).toMatchObject({ status: 400, code });
    expect((await api.client.listImageIds()).body).toEqual({ ids: [] });
  });
});

test.each<[string, string | FormData, string]>([
  ['JSON', JSON.stringify({ image_base64: 'AAAA', label: 'x'.repeat(2 * 1024 ** 2) }), 'body'],
  ['a form', longForm(), 'field'],
])('text that is no image may not be as long as an image, in %s', async (_, body, what) => {
  const type = typeof body === 'string' ? { 'Content-Type': 'application/json' } : undefined;
  const options = { method: 'POST', body, ...(type && { headers: type }) };
  const response = await api.fetch('/api/detect/faces', options);
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ code: `${what}_too_large` });
});

function longForm(): FormData {
  const form = new FormData();
  form.append('file', new File(['x'], 'a.jpg'));
  form.append('label', 'x'.repeat(100 * 1024));
  return form;
}
