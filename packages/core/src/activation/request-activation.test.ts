import { expect, test } from '@jest/globals';
import type { Database, Stores } from '../database/database.ts';
import { ModelNotDownloaded } from '../models/model-errors.ts';
import type { RegisteredModel } from '../models/model-store.ts';
import { FACE_MODEL } from '../models/testing/sample-models.ts';
import { StoreUnavailable } from '../store/store-errors.ts';
import { requestActivation, type RequestActivationDeps } from './request-activation.ts';

const PREVIOUS: RegisteredModel = { ...FACE_MODEL, id: 1 };
const NEXT: RegisteredModel = { ...FACE_MODEL, id: 2, revision: 'a'.repeat(64) };

/**
 * Requests the activation of the next model. The job of the activation is deleted before the request reads its
 * status.
 */
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
        begin: () => Promise.resolve({ kind: 'begun', jobId: 7, previousId: PREVIOUS.id }),
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

test('the active model shows the outcome of a job that was deleted after its end', async () => {
  expect(await request(NEXT)).toEqual({ kind: 'active', model: NEXT, previousId: PREVIOUS.id });
  expect(await request(PREVIOUS)).toEqual({ kind: 'job', jobId: 7, status: 'failed' });
});

test('the caller gets the error of the activation even if the declaration cannot be reverted', async () => {
  const refusal = new ModelNotDownloaded('Download the model before you activate it.');
  const revert = () => Promise.reject(new StoreUnavailable('Kubernetes does not answer.'));
  const answer = request(PREVIOUS, {
    activations: { pending: () => Promise.resolve([]), begin: () => Promise.reject(refusal) },
    declarations: { activate: () => Promise.resolve({ revert }), keep: () => Promise.resolve() },
  });
  await expect(answer).rejects.toBe(refusal);
});
