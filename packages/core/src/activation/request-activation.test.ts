import { expect, test } from '@jest/globals';
import type { Database, Stores } from '../database/database.ts';
import { ModelNotDownloaded } from '../models/model-errors.ts';
import type { RegisteredModel } from '../models/model-store.ts';
import { FACE_MODEL } from '../models/testing/sample-models.ts';
import { StoreUnavailable } from '../store/store-errors.ts';
import { requestActivation, type RequestActivationDeps } from './request-activation.ts';

const FORMER: RegisteredModel = { ...FACE_MODEL, id: 1 };
const NEXT: RegisteredModel = { ...FACE_MODEL, id: 2, revision: 'a'.repeat(64) };

/** Asks for the next model, whose job is deleted before it is looked at. */
function request(active: RegisteredModel, changes: Partial<RequestActivationDeps> = {}) {
  const models = { byId: () => Promise.resolve(NEXT) };
  const jobs = { byId: () => Promise.resolve(null), endedItems: () => Promise.resolve([]) };
  const withScope = ((_, work) =>
    work({ jobs, models } as unknown as Stores)) as Database['withScope'];
  return requestActivation(
    {
      database: { withScope },
      activations: {
        pending: () => Promise.resolve([]),
        begin: () => Promise.resolve({ kind: 'begun', jobId: 7, previousId: FORMER.id }),
      },
      modelStore: {
        active: () => Promise.resolve([active]),
        roles: () => Promise.resolve({ active: [active], pending: [], previous: [] }),
      },
      declarations: null,
      ...changes,
    },
    { scope: { environmentId: 1 }, modelId: NEXT.id, reembed: 'before' },
    { signal: new AbortController().signal },
  );
}

test('the model tells what became of a job that was deleted after its end', async () => {
  expect(await request(NEXT)).toEqual({ kind: 'active', model: NEXT, previousId: FORMER.id });
  expect(await request(FORMER)).toEqual({ kind: 'job', jobId: 7, status: 'failed' });
});

test('a request that cannot be taken back hides nothing of why it was not fulfilled', async () => {
  const refusal = new ModelNotDownloaded('Download the model before it is activated.');
  const takeBack = () => Promise.reject(new StoreUnavailable('Kubernetes does not answer.'));
  const asked = request(FORMER, {
    activations: { pending: () => Promise.resolve([]), begin: () => Promise.reject(refusal) },
    declarations: { activate: () => Promise.resolve({ takeBack }), keep: () => Promise.resolve() },
  });
  await expect(asked).rejects.toBe(refusal);
});
