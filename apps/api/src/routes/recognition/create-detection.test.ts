import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { oneFace, photo } from '../../testing/people.ts';

let api: ApiServer;
/** An image of 100 x 100 pixels without a face. */
let image: number;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = oneFace;
  const { body } = await api.client.detectFaces({ body: { file: photo('landscape') } });
  image = body!.source_image_id;
});
afterAll(() => api[Symbol.asyncDispose]());

const BOX = { x: 10, y: 20, w: 30, h: 40 };

async function draw(body: object, id: number | string = image) {
  const response = await api.fetch(`/api/images/${id}/detections`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as { detection_id?: number } };
}

describe('POST /api/images/{id}/detections', () => {
  test('answers the detection, which is stored as one that a person drew', async () => {
    const { status, body } = await api.client.createDetection({
      path: { id: image },
      body: { type: 'face', bbox: BOX, label: ' Anna ' },
    });
    expect(status).toBe(200);
    const { detection_id: id, identity_id: identity } = body!;
    expect(body).toEqual({
      detection_id: expect.any(Number),
      identity_id: expect.any(Number),
      label: 'Anna',
      crop_url: expect.stringMatching(new RegExp(`^/media/crops/${id}/[0-9a-f]{64}\\.jpg$`)),
      is_manual: true,
    });
    expect((await api.client.getDetection({ path: { id } })).body).toMatchObject({
      type: 'face',
      source_image_id: image,
      bbox: BOX,
      confidence: 1,
      identity_id: identity,
      review_status: 'confirmed',
      is_manual: true,
      embedding_source: 'box',
    });
    const crop = await api.fetch(body!.crop_url);
    expect(crop.status).toBe(200);
    await crop.arrayBuffer();
    const { body: anna } = await api.client.getIdentity({ path: { id: identity! } });
    expect(anna).toMatchObject({ detection_count: 1, embedding_count: 1 });
  });

  test('stores an object without a label as one of no class and no identity', async () => {
    const { body } = await draw({ type: 'object', bbox: BOX });
    expect(body).toMatchObject({ identity_id: null, label: null, is_manual: true });
    const { body: stored } = await api.client.getDetection({
      path: { id: body.detection_id! },
    });
    expect(stored).toMatchObject({ type: 'object', class_name: null, review_status: 'pending' });
  });

  test('needs no model', async () => {
    api.analyzer.models = [];
    const { body } = await draw({ type: 'face', bbox: BOX, label: 'Anna' });
    const { body: stored } = await api.client.getDetection({
      path: { id: body.detection_id! },
    });
    expect(stored).toMatchObject({ review_status: 'confirmed', embedding_source: null });
    const { body: embeddings } = await api.client.listFaceEmbeddings();
    expect(embeddings!.items).toEqual([]);
  });

  test.each<[string, object, string | null]>([
    ['no type', { bbox: BOX }, 'type'],
    ['another type', { type: 'faces', bbox: BOX }, 'type'],
    ['no box', { type: 'face' }, 'bbox'],
    ['half a box', { type: 'face', bbox: { x: 1, y: 1, w: 5 } }, 'bbox.h'],
    ['a box of text', { type: 'face', bbox: { ...BOX, x: '1' } }, 'bbox.x'],
    ['a box without width', { type: 'face', bbox: { ...BOX, w: 0 } }, 'bbox.w'],
    ['a box of negative height', { type: 'face', bbox: { ...BOX, h: -1 } }, 'bbox.h'],
    ['a box outside the image', { type: 'face', bbox: { ...BOX, x: 100 } }, null],
    ['less than a pixel', { type: 'object', bbox: { x: 10, y: 10, w: 0.9, h: 40 } }, null],
    ['less than a pixel inside', { type: 'face', bbox: { ...BOX, y: -39.5 } }, null],
    ['an empty label', { type: 'face', bbox: BOX, label: ' ' }, null],
    ['a label of 201 characters', { type: 'object', bbox: BOX, label: 'x'.repeat(201) }, null],
  ])('refuses %s, and stores nothing', async (_, body, path) => {
    const answer = await draw(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    if (path !== null) expect(answer.body).toMatchObject({ errors: [{ path }] });
    const { body: stats } = await api.client.getStats();
    expect(stats).toMatchObject({ detections: 0, identities: 0 });
  });

  test('refuses what is no id, and finds no image of another environment', async () => {
    expect(await draw({ type: 'face', bbox: BOX }, 'first')).toMatchObject({ status: 400 });
    expect(await draw({ type: 'face', bbox: BOX }, image + 1)).toMatchObject({
      status: 404,
      body: { code: 'not_found' },
    });
  });
});
