import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { ReembedParams, StoredImageInput } from '@sightline/core/jobs/job';
import type { EnvironmentBehind } from '@sightline/core/models/model-store';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import { reembedsFor, stragglersOf } from '@sightline/core/reembedding/reembeds-for';
import { createReembed, endItem } from '../../support/fixtures/seed-jobs.ts';
import {
  AN_OBJECT,
  direction,
  type SeededEnvironment,
  type SeededFace,
} from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;
/** The old model has vectors, and the new one has none yet. */
let oldModel: number;
let newModel: number;
let ada: number;

beforeAll(async () => {
  store = await openStoreFixture();
  oldModel = store.retiredFaceModelId;
  newModel = store.faceModelId;
});

beforeEach(async () => {
  await store.query('DELETE FROM jobs');
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

/** Returns the environments that are behind, as an activation of the model sees them. */
async function environmentsBehind(modelId: number): Promise<readonly EnvironmentBehind[]> {
  let seen: readonly EnvironmentBehind[] = [];
  const activation = store.models.activate(modelId, {
    jobsFor: (found) => {
      seen = found;
      throw new Error('only asked');
    },
  });
  await expect(activation).rejects.toThrow('only asked');
  return seen;
}

const behind = async (modelId = newModel) =>
  (await environmentsBehind(modelId)).find(
    ({ environmentId }) => environmentId === home.scope.environmentId,
  );

/** Returns the images that become items of a job. */
async function images(faces: ReembedParams['faces'] = 'all'): Promise<readonly number[]> {
  const id = await createReembed(store, home, { modelId: newModel, faces });
  const found: number[] = [];
  for (;;) {
    const item = await store.jobs.claim(['reembed']);
    if (item === null) break;
    found.push(item.job.type === 'reembed' ? (item.input as StoredImageInput).sourceImageId : 0);
  }
  const [counted] = await store.query<{ total: number }>(
    'DELETE FROM jobs WHERE id = $1 RETURNING total',
    [id],
  );
  expect(counted!.total).toBe(found.length);
  return found;
}

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
  expect(await images('enrolled')).toEqual([known.source.id]);
  // Only the face without any vector lacks a vector of the old model.
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
  expect(await images('enrolled')).toEqual([source.id]);
  await store.database.withEntities({ ...home.scope, locks: [] }, (tx) =>
    tx.references.enroll([{ identityId: ada, detectionId: ids[0]!, modelId: newModel }]),
  );
  expect(await behind()).toBeUndefined();
  expect(await images()).toEqual([]);
});

test('jobs without images do not delay the next job', async () => {
  for (let job = 0; job < 5; job++) {
    await createReembed(store, await store.environment(), { modelId: newModel, faces: 'all' });
  }
  await home.photo([stranger()]);
  await createReembed(store, home, { modelId: newModel, faces: 'all' });
  expect(await store.jobs.claim(['reembed'])).toMatchObject({ job: home.scope });
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

describe('the job of enrolled faces', () => {
  const isBehind = () =>
    store.database.withScope(home.scope, ({ gallery }) => gallery.isBehind(newModel));
  const create = (faces: ReembedParams['faces']) =>
    createReembed(store, home, { modelId: newModel, faces });
  const claim = () => store.jobs.claim(['reembed']);

  test('comes first, and lets matching go on when it ends, also with images that failed', async () => {
    await home.photo([stranger()]);
    const known = await home.photo([enrolled()]);
    const all = await create('all');
    expect(await isBehind()).toBe(false);
    const first = await create('enrolled');
    const item = (await claim())!;
    expect(item).toMatchObject({ job: { id: first }, input: { sourceImageId: known.source.id } });
    // The first job has not ended, so it is unknown which faces it leaves for the other job.
    expect(await claim()).toBeNull();
    expect(await isBehind()).toBe(true);
    await endItem(store, item, { error: { code: 'image_corrupt', detail: 'Lost.' } });
    expect(await isBehind()).toBe(false);
    expect((await claim())?.job.id).toBe(all);
    expect(await home.events()).toMatchObject([{}, { event: 'job.done', data: { failed: 1 } }]);
  });

  test('without an image ends when its items are made', async () => {
    await create('enrolled');
    await home.events();
    expect(await claim()).toBeNull();
    expect(await isBehind()).toBe(false);
    expect(await home.events()).toMatchObject([{ event: 'job.done', data: { total: 0 } }]);
  });

  test('of stragglers comes as soon, and refuses no matching', async () => {
    await home.photo([stranger()]);
    const known = await home.photo([enrolled()]);
    await create('all');
    const first = await create('stragglers');
    expect(await claim()).toMatchObject({
      job: { id: first },
      input: { sourceImageId: known.source.id },
    });
    expect(await isBehind()).toBe(false);
  });

  test('that is not the newest one does not let matching go on', async () => {
    await home.photo([enrolled()]);
    await create('enrolled');
    const older = (await claim())!;
    await create('enrolled');
    await endItem(store, older);
    expect(await isBehind()).toBe(true);
  });
});

test('more images than a page are made into items while they are worked on', async () => {
  const { source } = await home.photo([stranger()]);
  await store.query(
    `WITH copied AS (
       INSERT INTO source_images (environment_id, digest, size_bytes, format, width, height,
         stored_width, stored_height, media_key, media_bytes)
       SELECT environment_id, sha256(i::text::bytea), 1, format, 1, 1, 1, 1, media_key || i, 1
       FROM source_images, generate_series(1, 700) AS i WHERE id = $1 RETURNING environment_id, id)
     INSERT INTO detections (environment_id, source_image_id, type, bbox_x, bbox_y, bbox_w, bbox_h, confidence, quality,
       review_status, decided_by, is_manual, crop_key, crop_bytes)
     SELECT c.environment_id, c.id, d.type, d.bbox_x, d.bbox_y, d.bbox_w, d.bbox_h, d.confidence, d.quality,
       d.review_status, d.decided_by, d.is_manual, d.crop_key || c.id, 1
     FROM copied c, detections d WHERE d.source_image_id = $1`,
    [source.id],
  );
  const found = await images();
  expect(found).toHaveLength(701);
  expect(new Set(found).size).toBe(701);
});

describe('an environment that is brought up', () => {
  const backfill = () =>
    store.models.backfill(
      { ...home.scope, modelId: newModel },
      reembedsFor({ ...FACE_MODEL, id: newModel }),
    );
  const jobs = () =>
    store.query<{ id: number; status: string; total: number; done: number }>(
      'SELECT id, status, total, done FROM jobs ORDER BY id',
    );
  const claim = () => store.jobs.claim(['reembed']);

  beforeEach(async () => {
    await store.models.activate(newModel);
    await store.query('DELETE FROM jobs');
  });

  test('has one job, which misses nothing that came while it ran', async () => {
    const first = await home.photo([stranger()]);
    const waiting = await home.photo([stranger()]);
    await backfill();
    const begun = (await claim())!;
    expect(begun.input).toEqual({ sourceImageId: first.source.id });
    const late = await home.photo([stranger()]);
    await Promise.all([backfill(), backfill()]);
    expect(await jobs()).toMatchObject([{ status: 'running', total: 3 }]);
    await endItem(store, begun);
    const images: unknown[] = [];
    for (let item = await claim(); item !== null; item = await claim()) {
      images.push((item.input as StoredImageInput).sourceImageId);
      await endItem(store, item);
    }
    // The job lists all images again for which vectors are missing. One of them is the first image, whose item was in
    // progress during the second call and may have missed newer faces. Images of ended items may be listed twice too,
    // because nothing is embedded in this test.
    const all = [waiting, first, late].map(({ source }) => source.id);
    expect(new Set(images)).toEqual(new Set(all));
    const total = images.length + 1;
    expect(await jobs()).toMatchObject([{ status: 'done', total, done: total }]);
  });

  test('has one job for enrolled faces, be they stragglers or not', async () => {
    await home.photo([enrolled()]);
    await backfill();
    await store.models.backfill(
      { ...home.scope, modelId: newModel },
      stragglersOf({ id: newModel }),
    );
    expect(await jobs()).toMatchObject([{ status: 'pending', total: 1 }]);
  });

  test('has another job after the first has ended, or was cancelled', async () => {
    await home.photo([stranger()]);
    await backfill();
    await endItem(store, (await claim())!);
    await backfill();
    expect(await jobs()).toMatchObject([{ status: 'done' }, { status: 'pending' }]);
    await claim();
    const [, second] = await jobs();
    await store.database.withEntities({ ...home.scope, locks: [] }, (tx) =>
      tx.jobs.cancel(second!.id),
    );
    await backfill();
    expect(await jobs()).toMatchObject([
      { status: 'done' },
      { status: 'running' },
      { status: 'pending' },
    ]);
  });
});
