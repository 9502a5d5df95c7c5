import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@sightline/contracts/client';
import type { ActiveModel } from '@sightline/core/models/model';
import { FACE_MODEL, OBJECT_MODEL } from '@sightline/core/models/testing/sample-models';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type TestConnection, withClient } from '@sightline/test/support/servers/test-server';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { facesInRow, photo } from '../../testing/people.ts';

let api: ApiServer;
let admin: Client;
let connection: TestConnection;

beforeAll(async () => {
  api = await startApi(async () => {
    const database = await createMigratedDatabase();
    ({ connection } = database);
    return database;
  });
  admin = await api.clientOf({ isAdmin: true });
});
beforeEach(async () => {
  await query('DELETE FROM jobs');
});
afterAll(() => api[Symbol.asyncDispose]());

async function query(text: string, values: readonly unknown[] = []): Promise<void> {
  await withClient(connection, (client) => client.query(text, [...values]));
}

async function downloaded(changes: Partial<ActiveModel> = {}): Promise<number> {
  const revision = `${randomUUID()}${randomUUID()}`.replaceAll('-', '');
  const model = { ...FACE_MODEL, name: randomUUID(), embeddingDim: 512, revision, ...changes };
  const [row] = await api.stores.models.register([model]);
  return row!.id;
}

const plan = async (id: number, reembed?: 'before' | 'after') =>
  (await admin.planActivation({ path: { id }, query: { reembed } })).body!;

/** Adds an ended job that embedded images with a model. */
async function addJob(
  modelId: number,
  { done, from, to }: { readonly done: number; readonly from: number; readonly to: number },
): Promise<void> {
  const { id } = await api.stores.keys.environment(api.environment);
  await query(
    `INSERT INTO jobs (environment_id, type, status, total, done, params, started_at, moved_at, finished_at)
     SELECT $1, 'reembed', 'done', $2, $2, jsonb_build_object('modelId', $3::bigint, 'faces', 'all'),
       t.started, t.finished, t.finished
     FROM (SELECT now() - make_interval(secs => $4) AS started, now() - make_interval(secs => $5) AS finished) AS t`,
    [id, done, modelId, from, to],
  );
}

const NOTHING = {
  reembed_images: 0,
  enrolled_images: 0,
  estimated_seconds: 0,
  enrolled_seconds: 0,
  needed_bytes: 0,
  free_bytes: 10 ** 9,
  matching_pauses: false,
};

describe('GET /api/models/{id}/activation', () => {
  test('has nothing to do without faces, for the active model, and for a model without embeddings', async () => {
    expect(await plan(await downloaded())).toEqual(NOTHING);
    const active = await api.stores.models.active();
    for (const { id } of active) expect(await plan(id, 'after')).toEqual(NOTHING);
    const objects = await downloaded({ ...OBJECT_MODEL, name: 'others', revision: 'b'.repeat(64) });
    expect(await plan(objects, 'after')).toEqual(NOTHING);
  });

  test('needs an administrator, and a model with files', async () => {
    const id = await downloaded();
    const asOthers = await api.client.planActivation({ path: { id } });
    expect(asOthers.problem).toMatchObject({ status: 403, code: 'admin_required' });
    const unknown = await admin.planActivation({ path: { id: 999_999 } });
    expect(unknown.problem).toMatchObject({ status: 404, code: 'not_found' });
    const name = randomUUID();
    await api.stores.catalog.sync([
      { ...FACE_MODEL, name, files: [{ address: 'https://a.test/m', sha256: null, bytes: 1 }] },
    ]);
    const { body } = await api.client.listModels();
    const listed = body!.items.find((model) => model.name === name)!;
    const missing = await admin.planActivation({ path: { id: listed.id } });
    expect(missing.problem).toMatchObject({ status: 409, code: 'model_not_downloaded' });
    const response = await api.fetch(`/api/models/${id}/activation?reembed=never`);
    expect(response.status).toBe(403);
    const query = { reembed: 'never' as 'before' };
    const never = await admin.planActivation({ path: { id }, query });
    expect(never.problem).toMatchObject({ status: 400, code: 'invalid_request' });
  });

  describe('with faces of several environments', () => {
    let id: number;

    beforeAll(async () => {
      api.analyzer.facesOf = facesInRow;
      await api.client.enrollFace({ body: { name: 'Anna', file: photo('0') } });
      await api.client.detectFaces({ body: { file: photo('90 180') } });
      await api.reset();
      api.analyzer.facesOf = facesInRow;
      await api.client.detectFaces({ body: { file: photo('90') } });
      admin = await api.clientOf({ isAdmin: true });
      id = await downloaded();
    });

    test('counts images, faces and bytes, and knows no time without a measured one', async () => {
      const counted = {
        ...NOTHING,
        reembed_images: 3,
        enrolled_images: 1,
        estimated_seconds: null,
        enrolled_seconds: null,
        needed_bytes: 4 * 512 * 4,
      };
      expect(await plan(id)).toEqual(counted);
      expect(await plan(id, 'before')).toEqual(counted);
      expect(await plan(id, 'after')).toEqual({ ...counted, matching_pauses: true });
    });

    test('estimates the time from recent jobs, of the same model if there were any', async () => {
      const other = await downloaded();
      await addJob(other, { done: 5, from: 200, to: 100 });
      expect((await plan(id)).estimated_seconds).toBeNull();
      // Both jobs ran at the same time for half of it: 47 images in 150 s.
      await addJob(other, { done: 42, from: 150, to: 50 });
      expect(await plan(id)).toMatchObject({ estimated_seconds: 10, enrolled_seconds: 4 });
      await addJob(id, { done: 10, from: 2_000, to: 1_980 });
      expect(await plan(id)).toMatchObject({ estimated_seconds: 6, enrolled_seconds: 2 });
      await query(`UPDATE jobs SET started_at = started_at - interval '31 days',
        finished_at = finished_at - interval '31 days'`);
      expect((await plan(id)).estimated_seconds).toBeNull();
    });
  });
});
