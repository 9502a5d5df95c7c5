import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Client } from '@sightline/contracts/client';
import { MAX_UNFINISHED_JOBS } from '@sightline/core/jobs/job';
import { ActivationDeclared, NoSource } from '@sightline/core/models/model-errors';
import type { ModelDeclarations } from '@sightline/core/models/declared-models';
import type { RegisteredModel } from '@sightline/core/models/model-store';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import { samplePack } from '@sightline/core/models/testing/sample-pack';
import { createJob, imagesJob } from '@sightline/test/support/fixtures/seed-jobs';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';

let api: ApiServer;
let admin: Client;
let next: RegisteredModel;
let previous: RegisteredModel;
/** The declarations that were written and withdrawn, in order. */
let written: string[];
/** The error of each write; null if writes succeed. */
let refusal: Error | null;
/** Runs after each declared activation. */
let onRequest: () => Promise<unknown>;

/** Declarations of a cluster. Writes are only recorded. */
const declarations: ModelDeclarations = {
  activate: async ({ name }, reembed) => {
    if (refusal !== null) throw refusal;
    written.push(`${name} ${reembed}`);
    await onRequest();
    return {
      revert: () => {
        written.push(`not ${name}`);
        return Promise.resolve();
      },
    };
  },
  keep: ({ name }) => {
    if (refusal !== null) return Promise.reject(refusal);
    written.push(`keep ${name}`);
    return Promise.resolve();
  },
};

beforeAll(async () => {
  api = await startApi(createMigratedDatabase, { declarations });
  previous = (await api.stores.models.active()).find(({ task }) => task === 'face')!;
});
beforeEach(async () => {
  await api.reset();
  admin = await api.clientOf({ isAdmin: true });
  const other = { ...FACE_MODEL, name: 'next', revision: 'a'.repeat(64) };
  [next] = (await api.stores.models.register([other])) as [RegisteredModel];
  written = [];
  refusal = null;
  onRequest = () => Promise.resolve();
  await api.stores.models.activate(previous.id);
});
afterAll(() => api[Symbol.asyncDispose]());

const activate = (id = next.id) => admin.activateModel({ path: { id }, body: {} });
const scope = async () => ({
  environmentId: (await api.stores.keys.environment(api.environment)).id,
});

/** Ends the job that activates the model as soon as there is one. */
async function endJob(
  error: { readonly code: string; readonly detail: string } | null,
): Promise<void> {
  for (;;) {
    const claim = await api.stores.jobs.claim(['activate_model']);
    if (claim === null) continue;
    const { environmentId } = claim.claim;
    await api.stores.database.withEntities({ environmentId, locks: [] }, (tx) =>
      tx.jobs.endItem(claim.claim, error === null ? {} : { error }),
    );
    return;
  }
}

describe('PUT /api/models/{id}/activate where a cluster declares the models', () => {
  test('writes the request first, and answers 409 if another field manager owns the model', async () => {
    refusal = new ActivationDeclared('The active face model is declared by argocd-controller.');
    expect((await activate()).problem).toMatchObject({
      status: 409,
      code: 'activation_declared',
      detail: 'The active face model is declared by argocd-controller.',
    });
    expect((await api.stores.models.roles()).pending).toEqual([]);
  });

  test('is the activation that the cluster has started in the meantime', async () => {
    onRequest = async () => {
      await api.stores.models.activate(next.id);
    };
    expect((await activate()).body).toMatchObject({ id: next.id, active: true });
    await api.stores.models.activate(previous.id);

    // The job of the activation belongs to another environment, so this client may not see it.
    const elsewhere = await api.stores.keys.environment('elsewhere');
    const asked = { modelId: next.id, environmentId: elsewhere.id, reembed: 'before' } as const;
    onRequest = async () => {
      await api.stores.activations.begin({ ...asked, isDeclared: true });
      ending = sleep(300)
        .then(() => api.stores.models.activate(next.id))
        .then(() => endJob(null));
    };
    let ending = Promise.resolve();
    expect((await activate()).body).toMatchObject({ id: next.id, previous_model_id: previous.id });
    expect(written).toEqual(['next before', 'next before']);
    await ending;
  });

  test('withdraws its request if pods cannot load the model', async () => {
    const ending = endJob({ code: 'model_load_failed', detail: 'embedding.onnx is cut off.' });
    expect((await activate()).problem).toMatchObject({
      status: 422,
      code: 'model_load_failed',
      detail: 'embedding.onnx is cut off.',
    });
    await ending;
    expect(written).toEqual(['next before', 'not next']);
  });

  test('withdraws its request if the environment may not have another job', async () => {
    const seeded = { scope: await scope() };
    for (let count = 0; count < MAX_UNFINISHED_JOBS; count++) {
      await createJob(api.stores, seeded, imagesJob(1));
    }
    expect((await activate()).problem).toMatchObject({ status: 429, code: 'too_many_jobs' });
    expect(written).toEqual(['next before', 'not next']);
  });

  test('while another model of the task is pending is 409, and writes nothing', async () => {
    const third = { ...FACE_MODEL, name: 'third', revision: 'b'.repeat(64) };
    const [other] = await api.stores.models.register([third]);
    const asked = { modelId: other!.id, ...(await scope()), reembed: 'before' } as const;
    await api.stores.activations.begin(asked);
    expect((await activate()).problem).toMatchObject({ status: 409, code: 'in_progress' });
    expect(written).toEqual([]);
    await endJob(null);
  });

  test('of an unknown model is 404', async () => {
    expect((await activate(999_999)).problem).toMatchObject({ code: 'not_found' });
  });
});

describe('POST /api/models/{id}/download where a cluster fetches models', () => {
  const download = (id: number) => admin.downloadModel({ path: { id } });

  test('keeps the files and creates a job that follows, also without a source in the catalog', async () => {
    await api.stores.catalog.sync([{ ...samplePack('declared'), files: [] }]);
    const { items } = (await api.client.listModels({})).body!;
    const { id } = items.find(({ name }) => name === 'declared')!;
    const answer = await download(id);
    expect(answer).toMatchObject({ status: 202, body: { status: 'pending' } });
    expect(written).toEqual(['keep declared']);
    refusal = new NoSource('No InferenceModel is of the pack declared.');
    expect((await download(id)).problem).toMatchObject({ status: 409, code: 'no_source' });
    expect((await download(999_999)).problem).toMatchObject({ code: 'not_found' });
  });
});
