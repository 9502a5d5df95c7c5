import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { faceAt, oneFace, photo } from '../../testing/people.ts';

let api: ApiServer;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
afterAll(() => api[Symbol.asyncDispose]());

test('GET /api/stats counts', async () => {
  api.analyzer.facesOf = (text) =>
    text === 'two' ? [faceAt(0), faceAt(90, { bbox: { x: 60, y: 0, w: 9, h: 9 } })] : oneFace(text);
  api.analyzer.objectsOf = (text) =>
    text === 'two' ? [{ ...faceAt(0), classId: 1, className: 'bicycle' }] : [];
  await api.client.enrollFace({ body: { name: 'Anna', file: photo('0') } });
  await api.client.detectAll({ body: { file: photo('two') } });
  const { body } = await api.client.getStats();
  expect(body).toEqual({
    identities: 2,
    face_identities: 1,
    object_identities: 1,
    detections: 4,
    face_detections: 3,
    object_detections: 1,
    source_images: 2,
    pending_review: 1,
    storage: expect.stringMatching(/^[\d.]+ (B|KiB)$/),
    storage_bytes: expect.any(Number),
    set_aside_bytes: 0,
    storage_free: expect.stringMatching(/ [KMGTP]iB$/),
    storage_free_bytes: expect.any(Number),
  });
  expect(body!.storage_bytes).toBeGreaterThan(0);
});
