import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { EnvironmentBehind } from '@sightline/core/models/model-store';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import {
  AN_OBJECT,
  direction,
  type SeededEnvironment,
  type SeededFace,
} from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;
/** A model of which there are vectors, and one of which there are none yet. */
let oldModel: number;
let newModel: number;
let ada: number;

beforeAll(async () => {
  store = await openStoreFixture();
  oldModel = store.retiredFaceModelId;
  newModel = store.faceModelId;
});

beforeEach(async () => {
  home = await store.environment();
  ada = await home.identity('Ada');
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const stranger = (): SeededFace => ({ embedding: { modelId: oldModel, vector: direction(3) } });
const enrolled = (): SeededFace => ({
  ...stranger(),
  identityId: ada,
  reviewStatus: 'confirmed',
  enrolledBy: [oldModel],
});

/** As an activation of the model would see it. */
async function environmentsBehind(modelId: number): Promise<readonly EnvironmentBehind[]> {
  let seen: readonly EnvironmentBehind[] = [];
  const activation = store.models.activate(modelId, (found) => {
    seen = found;
    throw new Error('only asked');
  });
  await expect(activation).rejects.toThrow('only asked');
  return seen;
}

const behind = async (modelId = newModel) =>
  (await environmentsBehind(modelId)).find(
    ({ environmentId }) => environmentId === home.scope.environmentId,
  );

const images = async (changes: { enrolled?: boolean; after?: number; limit?: number } = {}) =>
  (
    await store.reembed.imagesBehind({
      ...home.scope,
      modelId: newModel,
      enrolled: false,
      after: 0,
      limit: 100,
      ...changes,
    })
  ).map(({ id }) => id);

test('faces without a vector of the model are behind, objects are not', async () => {
  await home.photo([AN_OBJECT]);
  await home.photo([]);
  expect(await behind()).toBeUndefined();
  const strangers = await home.photo([stranger(), stranger()]);
  const known = await home.photo([enrolled(), stranger(), AN_OBJECT]);
  const bare = await home.photo([{}]);
  expect(await behind()).toEqual({ ...home.scope, images: 3, enrolledImages: 1 });
  const all = [strangers, known, bare].map(({ source }) => source.id);
  expect(await images()).toEqual(all);
  expect(await images({ limit: 2 })).toEqual(all.slice(0, 2));
  expect(await images({ after: all[0]! })).toEqual(all.slice(1));
  expect(await images({ enrolled: true })).toEqual([known.source.id]);
  const [image] = await store.reembed.imagesBehind({
    ...home.scope,
    modelId: newModel,
    enrolled: true,
    after: 0,
    limit: 1,
  });
  expect(image).toEqual(known.source);
  // Of the old model only what has no vector at all.
  expect(await behind(oldModel)).toEqual({ ...home.scope, images: 1, enrolledImages: 0 });
});

test('an enrolled face is behind until it has a reference of the model too', async () => {
  const { ids, source } = await home.photo([enrolled(), stranger()]);
  await store.database.withEntities({ ...home.scope, locks: [] }, (tx) =>
    tx.detections.addEmbeddings(
      newModel,
      ids.map((detectionId) => ({ detectionId, vector: direction(5) })),
    ),
  );
  expect(await behind()).toEqual({ ...home.scope, images: 1, enrolledImages: 1 });
  expect(await images({ enrolled: true })).toEqual([source.id]);
  await store.database.withEntities({ ...home.scope, locks: [] }, (tx) =>
    tx.references.enroll([{ identityId: ada, detectionId: ids[0]!, modelId: newModel }]),
  );
  expect(await behind()).toBeUndefined();
  expect(await images()).toEqual([]);
});

test('every environment is counted separately', async () => {
  await home.photo([stranger()]);
  const other = await store.environment();
  await other.photo([{}]);
  await other.photo([{}]);
  const counts = new Map(
    (await environmentsBehind(newModel)).map((row) => [row.environmentId, row.images]),
  );
  expect(counts.get(home.scope.environmentId)).toBe(1);
  expect(counts.get(other.scope.environmentId)).toBe(2);
  expect(await images()).toHaveLength(1);
  const [unknown] = await store.models.register([{ ...FACE_MODEL, name: 'unknown to all' }]);
  expect(await behind(unknown!.id)).toMatchObject({ images: 1 });
});
