import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@sightline/contracts/client';
import { MAX_UNFINISHED_JOBS } from '@sightline/core/jobs/job';
import type { RegisteredModel } from '@sightline/core/models/model-store';
import { FACE_MODEL, OBJECT_MODEL } from '@sightline/core/models/testing/sample-models';
import { createJob, imagesJob } from '@sightline/test/support/fixtures/seed-jobs';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';

let api: ApiServer;
let admin: Client;
let active: RegisteredModel;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
beforeEach(async () => {
  await api.reset();
  admin = await api.clientOf({ isAdmin: true });
  const found = await api.stores.models.active();
  active = found.find(({ task }) => task === 'face')!;
});
afterAll(() => api[Symbol.asyncDispose]());

const activate = (id: number, client = admin) => client.activateModel({ path: { id }, body: {} });

async function downloaded(name: string): Promise<RegisteredModel> {
  const [model] = await api.stores.models.register([
    { ...FACE_MODEL, name, revision: 'a'.repeat(64) },
  ]);
  return model!;
}

describe('PUT /api/models/{id}/activate', () => {
  test('of the active model changes nothing', async () => {
    const { id, name, task } = active;
    expect((await activate(id)).body).toEqual({
      id,
      name,
      task,
      active: true,
      previous_model_id: id,
    });
  });

  test('needs an administrator, a model that is known, and its files', async () => {
    expect((await activate(active.id, api.client)).problem).toMatchObject({
      code: 'admin_required',
    });
    expect((await activate(999_999)).problem).toMatchObject({ code: 'not_found' });
    const foreign = { name: 'foreign', revision: 'c'.repeat(64), embeddingDim: 2 };
    const { id: environmentId } = await api.stores.keys.environment(api.environment);
    const adopted = await api.stores.models.adopt(environmentId, [foreign], 1);
    if (adopted.kind !== 'adopted') throw new Error(adopted.kind);
    expect((await activate(adopted.ids[0]!)).problem).toMatchObject({
      status: 409,
      code: 'model_not_downloaded',
    });
  });

  test('while another activation of the task is under way is 409', async () => {
    const { id } = await downloaded('first');
    const other = await downloaded('second');
    const { id: environmentId } = await api.stores.keys.environment(api.environment);
    const begin = { modelId: id, environmentId, reembed: 'before' as const };
    const begun = await api.stores.activations.begin(begin);
    expect(begun).toMatchObject({ kind: 'begun', previousId: active.id });
    expect((await activate(other.id)).problem).toMatchObject({ status: 409, code: 'in_progress' });
    const { pending } = await api.stores.models.roles();
    expect(pending.map((model) => model.id)).toEqual([id]);
    const object = { ...OBJECT_MODEL, name: 'objects too', revision: 'b'.repeat(64) };
    const [another] = await api.stores.models.register([object]);
    const job = await api.stores.activations.begin({ ...begin, modelId: another!.id });
    expect(job).toMatchObject({ kind: 'begun' });
    // Cancelling the job also ends its activation.
    const cancel = { path: { id: (begun as { readonly jobId: number }).jobId } };
    expect((await api.client.cancelJob(cancel)).status).toBe(200);
    expect((await api.stores.models.roles()).pending.map((model) => model.id)).toEqual([
      another!.id,
    ]);
  });

  test('is refused while the environment has as many unfinished jobs as it may have', async () => {
    const { id } = await downloaded('one too many');
    const { id: environmentId } = await api.stores.keys.environment(api.environment);
    const seeded = { scope: { environmentId } };
    for (let count = 0; count < MAX_UNFINISHED_JOBS; count++) {
      await createJob(api.stores, seeded, imagesJob(1));
    }
    expect((await activate(id)).problem).toMatchObject({ status: 429, code: 'too_many_jobs' });
    expect((await api.stores.models.roles()).pending.map((model) => model.id)).not.toContain(id);
  });

  test('takes nothing but before and after', async () => {
    const body = { reembed: 'never' as 'before' };
    const { problem } = await admin.activateModel({ path: { id: active.id }, body });
    expect(problem).toMatchObject({ code: 'invalid_request' });
  });
});
