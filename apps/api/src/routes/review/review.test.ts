import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { facesInRow, photo } from '../../testing/people.ts';

let api: ApiServer;
let anna: number;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
beforeEach(async () => {
  await api.reset();
  api.analyzer.facesOf = facesInRow;
  const { body } = await api.client.enrollFace({ body: { name: 'Anna', file: photo('0') } });
  anna = body!.identity_id;
});
afterAll(() => api[Symbol.asyncDispose]());

/** Detects faces at these angles in one photo, and the object in the photo. */
async function detect(text: string) {
  const { body } = await api.client.detectAll({ body: { file: photo(text) } });
  return {
    faces: body!.faces.map(({ detection_id: id }) => id),
    object: body!.objects[0]!.detection_id,
  };
}

async function unknownFace(): Promise<number> {
  const { faces } = await detect('90');
  return faces[0]!;
}

async function shown(id: number) {
  const { body } = await api.client.getDetection({ path: { id } });
  return body!;
}

describe('the decisions about one face', () => {
  test('POST /api/review/{id}/confirm assigns and enrolls', async () => {
    const id = await unknownFace();
    const { body } = await api.client.confirmFace({
      path: { id },
      body: { identity_id: anna },
    });
    expect(body).toEqual({
      detection_id: id,
      review_status: 'confirmed',
      identity_id: anna,
      enrolled: true,
    });
    expect(await shown(id)).toMatchObject({ label: 'Anna', review_status: 'confirmed' });
    const identity = await api.client.getIdentity({ path: { id: anna } });
    expect(identity.body).toMatchObject({ detection_count: 2, embedding_count: 2 });
  });

  test('POST /api/review/{id}/unassign, reject and restore', async () => {
    const id = await unknownFace();
    const path = { id };
    await api.client.confirmFace({ path, body: { identity_id: anna } });
    const rejected = await api.client.rejectFace({ path });
    expect(rejected.body).toEqual({ detection_id: id, review_status: 'rejected' });
    expect(await shown(id)).toMatchObject({ identity_id: null, review_status: 'rejected' });
    const restored = await api.client.restoreFace({ path });
    expect(restored.body).toEqual({ detection_id: id, review_status: 'pending' });
    expect(await shown(id)).toMatchObject({ identity_id: anna, review_status: 'pending' });
    const again = await api.client.restoreFace({ path });
    expect(again.problem).toMatchObject({ status: 409, code: 'not_rejected' });
    const unassigned = await api.client.unassignFace({ path });
    expect(unassigned.body).toEqual({ detection_id: id, review_status: 'pending' });
    expect(await shown(id)).toMatchObject({ identity_id: null, review_status: 'pending' });
    const identity = await api.client.getIdentity({ path: { id: anna } });
    expect(identity.body).toMatchObject({ detection_count: 1, pending_review_count: 0 });
  });

  test('a rejected face is not matched with that identity again', async () => {
    const { faces } = await detect('10');
    const id = faces[0]!;
    expect(await shown(id)).toMatchObject({ identity_id: anna });
    await api.client.rejectFace({ path: { id } });
    const { body } = await api.client.detectFaces({ body: { file: photo('10') } });
    expect(body!.faces).toMatchObject([
      { detection_id: id, identity_id: null, review_status: 'rejected', suggestions: [] },
    ]);
    const replaced = await api.client.detectFaces({ body: { file: photo('10'), replace: 'true' } });
    expect(replaced.body!.faces).toMatchObject([{ identity_id: null, suggestions: [] }]);
  });

  test('POST /api/review/{id}/reassign takes an identity or a name', async () => {
    const id = await unknownFace();
    const named = await api.client.reassignFace({ path: { id }, body: { name: ' Berta ' } });
    expect(named.body).toEqual({
      detection_id: id,
      review_status: 'confirmed',
      identity_id: expect.any(Number),
    });
    expect(await shown(id)).toMatchObject({ label: 'Berta' });
    const moved = await api.client.reassignFace({ path: { id }, body: { identity_id: anna } });
    expect(moved.body).toMatchObject({ identity_id: anna });
    const bodies = [{}, { identity_id: anna, name: 'Berta' }, { name: '' }, { name: 'a\nb' }];
    for (const body of bodies) {
      const { problem } = await api.client.reassignFace({ path: { id }, body });
      expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
    }
    expect(await shown(id)).toMatchObject({ identity_id: anna });
  });

  test('are refused for unknown faces, for objects and with a wrong identity', async () => {
    const { faces, object } = await detect('90');
    const { identity_id: bicycle } = await shown(object);
    const confirm = async (id: number, identity: number) =>
      (await api.client.confirmFace({ path: { id }, body: { identity_id: identity } })).problem;
    expect(await confirm(999_999_999, anna)).toMatchObject({ status: 404, code: 'not_found' });
    expect(await confirm(faces[0]!, 999_999_999)).toMatchObject({ status: 404 });
    expect(await confirm(faces[0]!, bicycle!)).toMatchObject({
      status: 422,
      code: 'type_mismatch',
    });
    expect(await confirm(object, bicycle!)).toMatchObject({ status: 422, code: 'not_a_face' });
    const { client } = api;
    const actions = ['rejectFace', 'restoreFace', 'unassignFace', 'dismissMismatch'] as const;
    for (const action of actions) {
      const { problem } = await client[action]({ path: { id: object } });
      expect(problem).toMatchObject({ status: 422, code: 'not_a_face' });
      const nowhere = await client[action]({ path: { id: 999_999_999 } });
      expect(nowhere.problem).toMatchObject({ status: 404, code: 'not_found' });
    }
    const { problem } = await client.reassignFace({ path: { id: object }, body: { name: 'Carl' } });
    expect(problem).toMatchObject({ status: 422, code: 'not_a_face' });
    const names = (await client.listIdentities()).body!.items.map(({ label }) => label);
    expect(names).toEqual(['Anna', 'bicycle']);
  });

  test('POST /api/review/{id}/confirm needs an identity', async () => {
    const id = await unknownFace();
    for (const body of [{}, { identity_id: 'Anna' }, { identity_id: 1.5 }]) {
      const { problem } = await api.client.confirmFace({ path: { id }, body: body as never });
      expect(problem).toMatchObject({ status: 400, code: 'invalid_request' });
    }
  });
});

describe('POST /api/review/bulk', () => {
  test('processes each face by itself, in the order given', async () => {
    const { faces, object } = await detect('90 120 150');
    const ids = [faces[2]!, object, 999_999_999, faces[0]!, faces[0]!];
    const { body } = await api.client.reviewFaces({
      body: { detection_ids: ids, action: 'confirm', identity_id: anna },
    });
    expect(body).toEqual({
      processed: 2,
      failed: 2,
      errors: [
        { detection_id: object, error: { code: 'not_a_face', detail: expect.any(String) } },
        { detection_id: 999_999_999, error: { code: 'not_found', detail: expect.any(String) } },
      ],
    });
    const [first, second, third] = await Promise.all(faces.map(shown));
    expect([first, second, third].map((face) => face!.identity_id)).toEqual([anna, null, anna]);
  });

  test.each(['unassign', 'reject', 'reassign'] as const)('%s', async (action) => {
    const { faces } = await detect('90 120');
    const { body } = await api.client.reviewFaces({
      body: { detection_ids: faces, action, identity_id: anna },
    });
    expect(body).toEqual({ processed: 2, failed: 0, errors: [] });
    const status = { unassign: 'pending', reject: 'rejected', reassign: 'confirmed' }[action];
    for (const id of faces) expect((await shown(id)).review_status).toBe(status);
  });

  test('restore fails for faces that are not rejected', async () => {
    const { faces } = await detect('90 120');
    await api.client.rejectFace({ path: { id: faces[1]! } });
    const { body } = await api.client.reviewFaces({
      body: { detection_ids: faces, action: 'restore' },
    });
    expect(body).toMatchObject({
      processed: 1,
      failed: 1,
      errors: [{ detection_id: faces[0], error: { code: 'not_rejected' } }],
    });
  });

  test('with no ids does nothing', async () => {
    const { body } = await api.client.reviewFaces({
      body: { detection_ids: [], action: 'reject' },
    });
    expect(body).toEqual({ processed: 0, failed: 0, errors: [] });
  });

  test('fails as a whole for what all faces share', async () => {
    const { faces, object } = await detect('90');
    const { identity_id: bicycle } = await shown(object);
    const send = async (body: object) =>
      (await api.client.reviewFaces({ body: { detection_ids: faces, ...body } as never })).problem;
    const many = Array.from({ length: 1001 }, (_, i) => i);
    for (const body of [
      { action: 'confirm' },
      { action: 'reassign' },
      { action: 'reassign', name: 'Berta' },
      { action: 'dismiss' },
      {},
      { action: 'reject', detection_ids: undefined },
      { action: 'reject', detection_ids: 'all' },
      { action: 'reject', detection_ids: many },
    ]) {
      expect(await send(body)).toMatchObject({ status: 400, code: 'invalid_request' });
    }
    const confirm = { action: 'confirm' };
    expect(await send({ ...confirm, identity_id: 999_999_999 })).toMatchObject({ status: 404 });
    expect(await send({ ...confirm, identity_id: bicycle })).toMatchObject({
      status: 422,
      code: 'type_mismatch',
    });
    expect(await shown(faces[0]!)).toMatchObject({ identity_id: null, review_status: 'pending' });
  });
});

describe('mismatches', () => {
  test('POST /api/review/mismatches/{id}/dismiss, until the identity changes', async () => {
    const id = await unknownFace();
    const { body } = await api.client.dismissMismatch({ path: { id } });
    expect(body).toEqual({ detection_id: id, mismatch_reviewed: true });
    expect(await shown(id)).toMatchObject({ mismatch_reviewed: true });
    await api.client.confirmFace({ path: { id }, body: { identity_id: anna } });
    expect(await shown(id)).toMatchObject({ mismatch_reviewed: false });
  });

  test('POST /api/review/mismatches/dismiss counts faces', async () => {
    const { faces, object } = await detect('90 120');
    const ids = [...faces, object, 999_999_999, faces[0]!];
    for (let round = 0; round < 2; round++) {
      const { body } = await api.client.dismissMismatches({ body: { detection_ids: ids } });
      expect(body).toEqual({ dismissed: 2 });
    }
    expect(await shown(faces[1]!)).toMatchObject({ mismatch_reviewed: true });
    expect(await shown(object)).toMatchObject({ mismatch_reviewed: false });
  });
});
