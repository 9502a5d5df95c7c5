import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { type FollowedStore, followStore } from '../../support/fixtures/followed-store.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';
import { checkEnvironment } from '../../support/similarity/check-environment.ts';

let store: StoreFixture;
let followed: FollowedStore;
let home: SeededEnvironment;
/** Two faces of Ada's, then four strangers, two by two. */
let ids: readonly number[];
let where: string;

beforeAll(async () => {
  store = await openStoreFixture();
  followed = await followStore(store);
});

beforeEach(async () => {
  home = await store.environment();
  const photo = await home.photo(
    [0, 5, 10, 11, 90, 91].map((degrees) => ({
      embedding: { modelId: store.faceModelId, vector: direction(degrees) },
    })),
  );
  ids = photo.ids;
  where = `of environment ${home.scope.environmentId}`;
  for (const id of ids.slice(0, 2)) {
    await actOnFace(store, { scope: home.scope, id, action: 'relabel', target: { label: 'Ada' } });
  }
  await followed.settle();
});

afterAll(async () => {
  await followed[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

async function findings(options?: { readonly isExact: boolean }): Promise<readonly string[]> {
  const check = await checkEnvironment(store, home.scope.environmentId, options);
  expect(check.skipped).toEqual([]);
  return check.findings;
}

function change(text: string, ...values: readonly unknown[]): Promise<unknown> {
  return store.query(text, [home.scope.environmentId, ...values]);
}

const model = () => `for model ${store.faceModelId}.`;

test('a deep check finds nothing at rest', async () => {
  expect(await findings()).toEqual([]);
});

test('a deep check finds wrong, surplus and missing suggestions', async () => {
  const [named, , near, nearer, far] = ids;
  const set = 'UPDATE suggestions SET similarity = similarity - 0.1';
  await change(`${set} WHERE environment_id = $1 AND detection_id = $2`, near);
  await change('DELETE FROM suggestions WHERE environment_id = $1 AND detection_id = $2', nearer);
  const copy = `INSERT INTO suggestions (environment_id, detection_id, model_id, identity_id, similarity)
    SELECT environment_id, $2, model_id, identity_id, 0.4 FROM suggestions WHERE environment_id = $1 LIMIT 1`;
  for (const id of [named, far]) await change(copy, id);
  expect(await findings()).toEqual(
    [named, near, nearer, far].map(
      (id) => `Face ${id} ${where} should have other suggestions ${model()}`,
    ),
  );
});

test('missing suggestions of at most one face in a hundred are allowed to an index that is not exact', async () => {
  const many = Array.from({ length: 196 }, () => ({
    embedding: { modelId: store.faceModelId, vector: direction(20) },
  }));
  await home.photo(many);
  await followed.settle();
  const remove = 'DELETE FROM suggestions WHERE environment_id = $1 AND detection_id = any($2)';
  await change(remove, ids.slice(2, 4));
  expect(await findings()).toHaveLength(2);
  expect(await findings({ isExact: false })).toEqual([]);
  const set = 'UPDATE suggestions SET similarity = 0.3';
  const [wrong] = await store.query<{ id: number }>(
    `SELECT max(detection_id) AS id FROM suggestions WHERE environment_id = $1`,
    [home.scope.environmentId],
  );
  await change(`${set} WHERE environment_id = $1 AND detection_id = $2`, wrong!.id);
  expect(await findings({ isExact: false })).toHaveLength(1);
});

test('a deep check finds wrong lists of neighbors, wrong groups and wrong scores', async () => {
  const [named, , near] = ids;
  const drop = 'DELETE FROM face_neighbors WHERE environment_id = $1 AND detection_id = $2';
  await change(drop, near);
  expect(await findings()).toEqual([
    `Face ${near} ${where} should have other neighbors ${model()}`,
  ]);
  await followed.settle();
  await change('DELETE FROM group_trees WHERE environment_id = $1');
  await change(
    'DELETE FROM mismatch_scores WHERE environment_id = $1 AND detection_id = $2',
    named,
  );
  expect(await findings()).toEqual([
    `Face ${named} ${where} should have other scores of mismatch ${model()}`,
    `Face ${near} ${where} should have other neighbors ${model()}`,
    `Environment ${home.scope.environmentId} should have other groups ${model()}`,
  ]);
});

test('an environment with pending changes is not compared', async () => {
  await home.photo([{ embedding: { modelId: store.faceModelId, vector: direction(30) } }]);
  const { skipped } = await checkEnvironment(store, home.scope.environmentId);
  expect(skipped).toMatchObject([{ environmentId: home.scope.environmentId }]);
});
