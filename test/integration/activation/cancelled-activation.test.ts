import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { endItem } from '../../support/fixtures/seed-jobs.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;
let jobId: number;

beforeAll(async () => {
  store = await openStoreFixture();
});

beforeEach(async () => {
  home = await store.environment();
  await store.models.activate(store.faceModelId);
  const modelId = store.retiredFaceModelId;
  const begun = await store.activations.begin({ modelId, ...home.scope, reembed: 'before' });
  if (begun.kind !== 'begun') throw new Error('The model is active already.');
  ({ jobId } = begun);
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const cancel = () =>
  store.database.withEntities({ ...home.scope, locks: [] }, (tx) => tx.jobs.cancel(jobId));

const switchNow = () => store.models.activate(store.retiredFaceModelId, { whilePending: true });

async function activeId(): Promise<number | undefined> {
  const [active] = await store.models.active();
  return active?.id;
}

test('a model whose activation was cancelled does not become active, even before its worker notices', async () => {
  await store.jobs.claim(['activate_model']);
  const { job } = await cancel();
  expect(job).toMatchObject({ status: 'running', error: 'cancelled' });
  await expect(switchNow()).rejects.toMatchObject({ code: 'inference_unavailable' });
  expect(await activeId()).toBe(store.faceModelId);
});

test('a model becomes active while its activation is pending, but a worker that comes later changes nothing', async () => {
  const item = await store.jobs.claim(['activate_model']);
  await switchNow();
  expect(await activeId()).toBe(store.retiredFaceModelId);
  await endItem(store, item!, { progress: { total: 0, done: 0, failed: 0 } });
  await store.models.activate(store.faceModelId);
  await expect(switchNow()).rejects.toMatchObject({ code: 'inference_unavailable' });
  expect(await activeId()).toBe(store.faceModelId);
});
