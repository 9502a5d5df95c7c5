import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { photo } from '../../testing/people.ts';

let api: ApiServer;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
afterAll(() => api[Symbol.asyncDispose]());

describe('POST /api/detect/objects', () => {
  test('gives each object the identity of its class', async () => {
    const { body } = await api.client.detectObjects({ body: { file: photo('street') } });
    const { detection_id: id, identity_id: identityId } = body!.objects[0]!;
    expect(body).toMatchObject({
      model: { faces: null, objects: { name: 'objects' } },
      faces: [],
      counts: { faces: 0, objects: 1 },
    });
    expect(body!.objects).toEqual([
      {
        detection_id: expect.any(Number),
        bbox: { x: 0, y: 0, w: 50, h: 50 },
        confidence: 0.6,
        class_name: 'bicycle',
        class_id: 1,
        identity_id: expect.any(Number),
        label: 'bicycle',
        review_status: 'confirmed',
        created: true,
        crop_url: expect.stringMatching(new RegExp(`^/media/crops/${id}/[0-9a-f]{64}\\.jpg$`)),
      },
    ]);
    const identity = await api.client.getIdentity({ path: { id: identityId! } });
    expect(identity.body).toMatchObject({ type: 'object', label: 'bicycle', detection_count: 1 });
  });

  test('accepts no label', async () => {
    const form = new FormData();
    form.set('file', photo('street'));
    form.set('label', 'Anna');
    const response = await api.fetch('/api/detect/objects', { method: 'POST', body: form });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ path: 'label' }] });
  });
});
