import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { encodeCursor } from '../../http/cursor.ts';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { faceAt, oneFace, photo } from '../../testing/people.ts';

let api: ApiServer;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = (text) =>
    text === 'two' ? [faceAt(0), faceAt(90, { bbox: { x: 60, y: 0, w: 9, h: 9 } })] : oneFace(text);
});
afterAll(() => api[Symbol.asyncDispose]());

async function detect(text: string) {
  const { body } = await api.client.detectAll({ body: { file: photo(text) } });
  return {
    source: body!.source_image_id,
    faces: body!.faces.map(({ detection_id: id }) => id),
    objects: body!.objects.map(({ detection_id: id }) => id),
  };
}

describe('GET /api/detections/{id}', () => {
  test('shows a face', async () => {
    const { source, faces } = await detect('0');
    const [id] = faces;
    const { body } = await api.client.getDetection({ path: { id: id! } });
    expect(body).toEqual({
      id,
      detection_id: id,
      type: 'face',
      source_image_id: source,
      bbox: { x: 10, y: 20, w: 30, h: 40 },
      confidence: 0.9,
      identity_id: null,
      label: null,
      review_status: 'pending',
      crop_url: expect.stringMatching(`^/media/crops/${id}/`),
      detected_at: expect.stringMatching(/T.*\.\d{3}Z$/),
      is_manual: false,
      embedding_source: 'aligned',
      class_name: null,
      class_id: null,
      mismatch_reviewed: false,
      age: 30,
      gender: null,
      pose: [1, 2, 3],
      turned: 0,
    });
  });

  test('and every answer about a face tells by which angle the face is turned', async () => {
    api.analyzer.facesOf = () => [faceAt(0, { turned: 270 })];
    const file = photo('on its side');
    const found = await api.client.detectAll({ body: { file, label: 'Anna' } });
    const { source_image_id: image } = found.body!;
    const [face] = found.body!.faces;
    const turned = { turned: 270 };
    expect(face).toMatchObject(turned);
    const [one, details, listed, ofImage, tested, identified, verified, enrolled] =
      await Promise.all([
        api.client.getDetection({ path: { id: face!.detection_id } }),
        api.client.getImage({ path: { id: image } }),
        api.client.listImageDetections({ path: { id: image } }),
        api.client.getImageFaces({ path: { id: image } }),
        api.client.testImage({ body: { file } }),
        api.client.identifyFaces({ body: { file } }),
        api.client.verifyFaces({ body: { file1: file, file2: file } }),
        api.client.listFaceEmbeddings({}),
      ]);
    expect(one.body).toMatchObject(turned);
    expect(details.body!.faces[0]).toMatchObject(turned);
    expect(listed.body!.items[0]).toMatchObject(turned);
    expect(ofImage.body!.faces[0]).toMatchObject(turned);
    expect(tested.body!.faces[0]).toMatchObject(turned);
    expect(identified.body!.faces[0]).toMatchObject(turned);
    expect(verified.body).toMatchObject({ face1: turned, face2: turned });
    expect(enrolled.body!.items[0]).toMatchObject(turned);
  });

  test('shows an object', async () => {
    const { objects } = await detect('street');
    const { body } = await api.client.getDetection({ path: { id: objects[0]! } });
    expect(body).toMatchObject({
      type: 'object',
      class_name: 'bicycle',
      class_id: 1,
      label: 'bicycle',
      review_status: 'confirmed',
      embedding_source: null,
      age: null,
      pose: null,
      turned: 0,
    });
  });

  test.each([
    ['seven', 400, 'invalid_request'],
    ['1.5', 400, 'invalid_request'],
    ['0x1', 400, 'invalid_request'],
    ['99999999999999999999', 400, 'invalid_request'],
    ['999999999', 404, 'not_found'],
    ['-1', 404, 'not_found'],
    ['0', 404, 'not_found'],
  ])('with the id %s is %i', async (id, status, code) => {
    const { problem } = await api.client.getDetection({ path: { id } });
    expect(problem).toMatchObject({ status, code });
  });
});

describe('PUT /api/detections/{id}/label', () => {
  test('gives a face a new identity, or a known one', async () => {
    const [first, second] = (await detect('two')).faces;
    const anna = await api.client.labelDetection({
      path: { id: first! },
      body: { label: ' Anna' },
    });
    expect(anna.body).toEqual({
      detection_id: first,
      identity_id: expect.any(Number),
      label: 'Anna',
      review_status: 'confirmed',
      enrolled: true,
    });
    const { identity_id: identity } = anna.body!;
    const again = await api.client.labelDetection({
      path: { id: second! },
      body: { identity_id: identity },
    });
    expect(again.body).toMatchObject({ detection_id: second, identity_id: identity });
    const details = await api.client.getIdentity({ path: { id: identity } });
    expect(details.body).toMatchObject({ detection_count: 2, embedding_count: 2 });
  });

  test('gives an object another class of identity', async () => {
    const { objects } = await detect('street');
    const { body } = await api.client.labelDetection({
      path: { id: objects[0]! },
      body: { label: 'tandem' },
    });
    expect(body).toMatchObject({ label: 'tandem', enrolled: false });
    const { body: shown } = await api.client.getDetection({ path: { id: objects[0]! } });
    expect(shown).toMatchObject({ label: 'tandem', class_name: 'bicycle' });
  });

  test.each([{}, { label: 'a', identity_id: 1 }, { label: '' }, { identity_id: 'a' }])(
    'refuses %j',
    async (body) => {
      const [id] = (await detect('0')).faces;
      const { problem } = await api.client.labelDetection({
        path: { id: id! },
        body: body as never,
      });
      expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
    },
  );

  test('refuses unknown detections and identities, and a face as an object', async () => {
    const { faces, objects } = await detect('0');
    const path = { id: faces[0]! };
    const nowhere = await api.client.labelDetection({
      path: { id: 999_999_999 },
      body: { label: 'a' },
    });
    expect(nowhere.problem).toMatchObject({ status: 404, code: 'not_found' });
    const unknown = await api.client.labelDetection({ path, body: { identity_id: 999_999_999 } });
    expect(unknown.problem).toMatchObject({ status: 404, code: 'not_found' });
    const thing = await api.client.getDetection({ path: { id: objects[0]! } });
    const mismatch = await api.client.labelDetection({
      path,
      body: { identity_id: thing.body!.identity_id! },
    });
    expect(mismatch.problem).toMatchObject({ status: 422, code: 'type_mismatch' });
  });
});

describe('POST /api/detections/label', () => {
  test('labels each item by itself, in their order', async () => {
    const { faces, objects } = await detect('two');
    const [first, second] = faces as [number, number];
    const { body } = await api.client.labelDetections({
      body: {
        items: [
          { detection_id: first, label: 'Anna' },
          { detection_id: objects[0]!, label: 'tandem' },
          { detection_id: 999_999_999, label: 'Anna' },
          { detection_id: second, label: ' ' },
          { detection_id: second, label: 'Anna', identity_id: 1 },
          { detection_id: second },
          { detection_id: second, identity_id: 999_999_999 },
          { detection_id: second, label: 'x'.repeat(2000) },
          { detection_id: first, label: 'Berta' },
          { detection_id: second, label: 'Berta' },
        ],
      },
    });
    const failed = (detection_id: number, code: string) => ({
      detection_id,
      ok: false,
      error: { code, detail: expect.any(String) },
    });
    expect(body!.results).toEqual([
      { detection_id: first, ok: true },
      { detection_id: objects[0], ok: true },
      failed(999_999_999, 'not_found'),
      failed(second, 'invalid_request'),
      failed(second, 'invalid_request'),
      failed(second, 'invalid_request'),
      failed(second, 'not_found'),
      failed(second, 'invalid_request'),
      { detection_id: first, ok: true },
      { detection_id: second, ok: true },
    ]);
    for (const id of faces) {
      const { body: face } = await api.client.getDetection({ path: { id } });
      expect(face).toMatchObject({ label: 'Berta', review_status: 'confirmed' });
    }
  });

  test('takes no more than 1,000 items, and none', async () => {
    const items = Array.from({ length: 1001 }, () => ({ detection_id: 1, label: 'a' }));
    for (const body of [{ items }, {}, { items: [{ label: 'a' }] }]) {
      const { problem } = await api.client.labelDetections({ body: body as never });
      expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
    }
    const { body } = await api.client.labelDetections({ body: { items: [] } });
    expect(body).toEqual({ results: [] });
  });
});

describe('POST /api/detections/dismiss', () => {
  test('takes faces out of the review queue', async () => {
    const { faces, objects } = await detect('two');
    const ids = [...faces, ...objects, 999_999_999];
    for (let round = 0; round < 2; round++) {
      const { body } = await api.client.dismissDetections({ body: { detection_ids: ids } });
      expect(body).toEqual({ dismissed: 2 });
      const { body: stats } = await api.client.getStats();
      expect(stats!.pending_review).toBe(0);
    }
    await api.client.unassignFace({ path: { id: faces[0]! } });
    expect((await api.client.getStats()).body!.pending_review).toBe(1);
    const none = await api.client.dismissDetections({ body: { detection_ids: [] } });
    expect(none.body).toEqual({ dismissed: 0 });
  });
});

describe('DELETE /api/detections/{id}', () => {
  test('discards the image with its last detection', async () => {
    const { source, faces, objects } = await detect('two');
    const discarded: boolean[] = [];
    for (const id of [...faces, ...objects]) {
      const { body } = await api.client.deleteDetection({ path: { id } });
      expect(body).toMatchObject({ deleted: id });
      discarded.push(body!.source_image_discarded);
    }
    expect(discarded).toEqual([false, false, true]);
    expect((await api.client.getImageFaces({ path: { id: source } })).status).toBe(404);
    const { problem } = await api.client.deleteDetection({ path: { id: faces[0]! } });
    expect(problem).toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('GET /api/detections/unknown', () => {
  test('lists faces without an identity, newest first', async () => {
    const ids: number[] = [];
    for (const text of ['10', '100', '190']) ids.push(...(await detect(text)).faces);
    const [first, second, third] = ids;
    await api.client.labelDetection({ path: { id: second! }, body: { label: 'Anna' } });
    const { body } = await api.client.listUnknownFaces();
    expect(body).toMatchObject({
      items: [{ id: third, detection_id: third, type: 'face', label: null }, { id: first }],
      next_cursor: null,
      has_more: false,
    });
    const { body: page } = await api.client.listUnknownFaces({ query: { limit: 1 } });
    expect(page).toMatchObject({ items: [{ id: third }], has_more: true });
    const { body: rest } = await api.client.listUnknownFaces({
      query: { cursor: page!.next_cursor! },
    });
    expect(rest).toMatchObject({ items: [{ id: first }], has_more: false });
  });

  const beforeTime = encodeCursor(['unknown', '0000-12-31T23:59:59.999Z', 7]);

  test.each(['nonsense', '0.5_7', '2026-11-20T10:00:00.000Z_7', 'Wzdd', beforeTime])(
    'refuses the cursor %j',
    async (cursor) => {
      const { problem } = await api.client.listUnknownFaces({ query: { cursor } });
      expect(problem).toMatchObject({ status: 400, errors: [{ path: 'cursor' }] });
    },
  );
});

const ID_LISTS = [
  {},
  { detection_ids: 7 },
  { detection_ids: ['7'] },
  { detection_ids: [1.5] },
  { detection_ids: Array.from({ length: 1001 }, (_, i) => i) },
];

describe('POST /api/detections/query', () => {
  const query = async (...ids: readonly number[]) => {
    const { body } = await api.client.queryDetections({ body: { detection_ids: [...ids] } });
    return body!.items.map(({ id }) => id);
  };

  test('answers in the order of the request, without unknown ids', async () => {
    const { faces, objects } = await detect('two');
    const [a, b] = faces as [number, number];
    expect(await query(b, 999_999_999, objects[0]!, a, b, -1)).toEqual([b, objects[0], a]);
    expect(await query()).toEqual([]);
  });

  test('shows a detection as it is shown alone', async () => {
    const [id] = (await detect('0')).faces;
    const { body } = await api.client.queryDetections({ body: { detection_ids: [id!] } });
    expect(body!.items).toEqual([(await api.client.getDetection({ path: { id: id! } })).body]);
  });

  test.each(ID_LISTS)('refuses %j', async (body) => {
    const { problem } = await api.client.queryDetections({ body: body as never });
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
  });
});

describe('POST /api/detections/delete', () => {
  test('counts the deleted detections, and the images that were deleted with them', async () => {
    const two = await detect('two');
    const one = await detect('200');
    const ids = [two.faces[0]!, ...one.faces, ...one.objects, 999_999_999, two.faces[0]!];
    const { body } = await api.client.deleteDetections({ body: { detection_ids: ids } });
    expect(body).toEqual({ deleted: 3, source_images_discarded: 1 });
    const again = await api.client.deleteDetections({ body: { detection_ids: ids } });
    expect(again.body).toEqual({ deleted: 0, source_images_discarded: 0 });
    const none = await api.client.deleteDetections({ body: { detection_ids: [] } });
    expect(none.body).toEqual({ deleted: 0, source_images_discarded: 0 });
    const left = await api.client.getImageFaces({ path: { id: two.source } });
    expect(left.body!.faces.map(({ detection_id: id }) => id)).toEqual([two.faces[1]]);
  });

  test.each(ID_LISTS)('refuses %j, and deletes nothing', async (body) => {
    const { faces } = await detect('0');
    const { problem } = await api.client.deleteDetections({ body: body as never });
    expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
    expect((await api.client.getDetection({ path: { id: faces[0]! } })).status).toBe(200);
  });
});
