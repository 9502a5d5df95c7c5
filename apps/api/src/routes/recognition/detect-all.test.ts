import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { oneFace, photo } from '../../testing/people.ts';

let api: ApiServer;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
  api.analyzer.facesOf = oneFace;
});
afterAll(() => api[Symbol.asyncDispose]());

test('POST /api/detect/all runs the detectors that have a model', async () => {
  const both = await api.client.detectAll({ body: { file: photo('0') } });
  expect(both.body).toMatchObject({ counts: { faces: 1, objects: 1 } });
  api.analyzer.models = [FACE_MODEL];
  const faces = await api.client.detectAll({ body: { file: photo('1') } });
  expect(faces.body).toMatchObject({
    model: { faces: { name: 'faces' }, objects: null },
    counts: { faces: 1, objects: 0 },
  });
  api.analyzer.models = [];
  const none = await api.client.detectAll({ body: { file: photo('2') } });
  expect(none.problem).toMatchObject({ status: 503, code: 'no_active_model' });
});
