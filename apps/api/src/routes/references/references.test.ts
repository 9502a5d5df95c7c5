import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { faceAt, oneFace, photo } from '../../testing/people.ts';

let api: ApiServer;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = (text) => (text === 'two' ? [faceAt(0), faceAt(90)] : oneFace(text));
});
afterAll(() => api[Symbol.asyncDispose]());

async function enroll(name: string, text: string, externalRef?: string) {
  const { body } = await api.client.enrollFace({
    body: { name, file: photo(text), external_ref: externalRef },
  });
  return body!;
}

describe('POST /api/faces/enroll', () => {
  test('enrolls a face, which is recognized from the next request on', async () => {
    const enrolled = await enroll('Anna', '0', 'hr/17');
    expect(enrolled).toEqual({
      identity_id: expect.any(Number),
      label: 'Anna',
      embedding_id: expect.any(Number),
      enrolled: true,
    });
    const found = await api.client.identifyFaces({ body: { file: photo('10') } });
    expect(found.body!.faces[0]).toMatchObject({ identity_id: enrolled.identity_id });
    const identity = await api.client.getIdentity({ path: { id: enrolled.identity_id } });
    expect(identity.body).toMatchObject({
      external_ref: 'hr/17',
      detection_count: 1,
      embedding_count: 1,
      pending_review_count: 0,
      thumbnail_url: expect.stringContaining('/media/crops/'),
    });
  });

  test('adds to a name that exists; the same photo answers alike', async () => {
    const first = await enroll('Anna', '0');
    const second = await enroll(' Anna', '5');
    expect(second.identity_id).toBe(first.identity_id);
    expect(second.embedding_id).not.toBe(first.embedding_id);
    expect(await enroll('Anna', '5')).toEqual(second);
  });

  test('keeps the first external_ref', async () => {
    const { identity_id: id } = await enroll('Anna', '0');
    await enroll('Anna', '5', 'hr/17');
    const { problem } = await api.client.enrollFace({
      body: { name: 'Anna', file: photo('9'), external_ref: 'hr/18' },
    });
    expect(problem).toMatchObject({ status: 409, code: 'external_ref_conflict', identity_id: id });
  });

  test('does not enroll one face as two people', async () => {
    const { identity_id: id } = await enroll('Anna', '0');
    const { problem } = await api.client.enrollFace({ body: { name: 'Berta', file: photo('0') } });
    expect(problem).toMatchObject({ status: 409, code: 'enrolled_elsewhere', identity_id: id });
    const { body } = await api.client.listIdentities();
    expect(body!.items.map(({ label }) => label)).toEqual(['Anna']);
  });

  test.each([
    ['empty', 0],
    ['two', 2],
  ])('accepts one face, not those of %s', async (text, faces) => {
    const { problem } = await api.client.enrollFace({ body: { name: 'Anna', file: photo(text) } });
    expect(problem).toMatchObject({ status: 422, code: 'face_count', faces });
    expect((await api.client.listIdentities()).body!.items).toEqual([]);
  });

  test('needs a name', async () => {
    for (const body of [{ file: photo('0') } as never, { name: '', file: photo('0') }]) {
      const { problem } = await api.client.enrollFace({ body });
      expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
    }
  });
});

describe('POST /api/identities/{id}/enroll', () => {
  test('adds a reference photo', async () => {
    const { identity_id: id, embedding_id: first } = await enroll('Anna', '0');
    const { body } = await api.client.enrollIdentity({ path: { id }, body: { file: photo('30') } });
    expect(body).toMatchObject({ identity_id: id, label: 'Anna', enrolled: true });
    expect(body!.embedding_id).not.toBe(first);
  });

  test('answers 404 for an unknown identity', async () => {
    const { problem } = await api.client.enrollIdentity({
      path: { id: 999_999_999 },
      body: { file: photo('0') },
    });
    expect(problem).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('does not enroll a face as an object', async () => {
    const { body } = await api.client.createIdentity({ body: { label: 'bus', type: 'object' } });
    const { problem } = await api.client.enrollIdentity({
      path: { id: body!.id },
      body: { file: photo('0') },
    });
    expect(problem).toMatchObject({ status: 422, code: 'type_mismatch' });
  });
});

describe('GET /api/face-embeddings', () => {
  test('lists enrolled faces, newest first', async () => {
    const anna = await enroll('Anna', '0');
    const berta = await enroll('Berta', '90');
    const { body } = await api.client.listFaceEmbeddings();
    expect(body).toMatchObject({
      items: [{ id: berta.embedding_id }, { id: anna.embedding_id }],
      next_cursor: null,
      has_more: false,
    });
    const one = await api.client.getFaceEmbedding({ path: { id: anna.embedding_id } });
    expect(one.body).toEqual(body!.items[1]);
    expect(one.body).toEqual({
      id: anna.embedding_id,
      identity_id: anna.identity_id,
      label: 'Anna',
      model_id: expect.any(Number),
      model_name: 'faces',
      detection_id: expect.any(Number),
      source_image_id: expect.any(Number),
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      crop_url: expect.stringMatching(`^/media/crops/${one.body!.detection_id}/`),
      bbox: { x: 10, y: 20, w: 30, h: 40 },
      quality: 0.95,
      pose: [1, 2, 3],
      turned: 0,
      decided_by: 'human',
    });
  });

  test('tells who decided, and the quality and pose of the face', async () => {
    const { embedding_id: first } = await enroll('Anna', '0');
    api.analyzer.facesOf = () => [faceAt(5, { quality: 0.97, pose: null })];
    await api.client.detectFaces({ body: { file: photo('5') } });
    const { body } = await api.client.listFaceEmbeddings();
    expect(body!.items).toMatchObject([
      { decided_by: 'automatic', quality: 0.97, pose: null },
      { id: first, decided_by: 'human', quality: 0.95 },
    ]);
  });

  test('by identity and by model', async () => {
    const anna = await enroll('Anna', '0');
    await enroll('Berta', '90');
    const { body } = await api.client.listFaceEmbeddings({
      query: { identity_id: anna.identity_id },
    });
    const [only] = body!.items;
    expect(body!.items).toHaveLength(1);
    expect(only).toMatchObject({ label: 'Anna' });
    const ofModel = { model_id: only!.model_id };
    expect((await api.client.listFaceEmbeddings({ query: ofModel })).body!.items).toHaveLength(2);
    const ofNone = { model_id: only!.model_id + 1000 };
    expect((await api.client.listFaceEmbeddings({ query: ofNone })).body!.items).toEqual([]);
  });

  test('in pages, on request', async () => {
    for (const degrees of [0, 40, 80]) await enroll(`Anna ${degrees}`, String(degrees));
    const first = await api.client.listFaceEmbeddings({ query: { limit: 2 } });
    expect(first.body).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
    const cursor = first.body!.next_cursor!;
    const second = await api.client.listFaceEmbeddings({ query: { limit: '2', cursor } });
    expect(second.body).toMatchObject({ has_more: false, next_cursor: null });
    const labels = [...first.body!.items, ...second.body!.items].map(({ label }) => label);
    expect(labels).toEqual(['Anna 80', 'Anna 40', 'Anna 0']);
    const { problem } = await api.client.listFaceEmbeddings({ query: { cursor: 'elsewhere' } });
    expect(problem).toMatchObject({ status: 400, errors: [{ path: 'cursor' }] });
  });

  test('answers 404 for another id', async () => {
    const { problem } = await api.client.getFaceEmbedding({ path: { id: 999_999_999 } });
    expect(problem).toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('an enrolled face', () => {
  async function enrolledFace() {
    const anna = await enroll('Anna', '0');
    const { body } = await api.client.getFaceEmbedding({ path: { id: anna.embedding_id } });
    return { ...anna, id: body!.detection_id };
  }

  test('DELETE and POST /api/detections/{id}/enroll', async () => {
    const { id, identity_id, embedding_id } = await enrolledFace();
    const path = { id };
    const again = await api.client.enrollDetection({ path });
    expect(again.body).toEqual({ detection_id: id, identity_id, embedding_id, enrolled: true });
    const revoked = await api.client.revokeDetection({ path });
    expect(revoked.body).toEqual({ detection_id: id, removed: 1 });
    expect((await api.client.revokeDetection({ path })).body).toMatchObject({ removed: 0 });
    expect((await api.client.getDetection({ path })).body).toMatchObject({
      identity_id,
      review_status: 'confirmed',
    });
    const enrolled = await api.client.enrollDetection({ path });
    expect(enrolled.body).toMatchObject({ detection_id: id, identity_id, enrolled: true });
    expect(enrolled.body!.embedding_id).not.toBe(embedding_id);
  });

  test('DELETE /api/face-embeddings/{id}', async () => {
    const { id, identity_id, embedding_id } = await enrolledFace();
    const { body } = await api.client.deleteFaceEmbedding({ path: { id: embedding_id } });
    expect(body).toEqual({ deleted: embedding_id });
    const identity = await api.client.getIdentity({ path: { id: identity_id } });
    expect(identity.body).toMatchObject({ detection_count: 1, embedding_count: 0 });
    expect((await api.client.getDetection({ path: { id } })).status).toBe(200);
    const { problem } = await api.client.deleteFaceEmbedding({ path: { id: embedding_id } });
    expect(problem).toMatchObject({ status: 404, code: 'not_found' });
  });

  test('needs an identity and an embedding, and is a face', async () => {
    api.analyzer.facesOf = () => [faceAt(90), faceAt(10, { embedding: null })];
    const { body } = await api.client.detectAll({ body: { file: photo('group') } });
    const [stranger, blurred] = body!.faces.map(({ detection_id: id }) => id);
    const object = body!.objects[0]!.detection_id;
    const code = async (id: number) => (await api.client.enrollDetection({ path: { id } })).problem;
    expect(await code(stranger!)).toMatchObject({ status: 422, code: 'not_assigned' });
    const path = { id: blurred! };
    const labeled = await api.client.labelDetection({ path, body: { label: 'Berta' } });
    expect(labeled.body).toMatchObject({ enrolled: false });
    expect(await code(blurred!)).toMatchObject({ status: 422, code: 'no_embedding' });
    expect(await code(object)).toMatchObject({ status: 422, code: 'not_a_face' });
    expect(await code(999_999_999)).toMatchObject({ status: 404, code: 'not_found' });
    for (const [id, status] of [
      [object, 422],
      [999_999_999, 404],
    ] as const) {
      expect((await api.client.revokeDetection({ path: { id } })).status).toBe(status);
    }
  });
});
