import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { findMismatches, type MismatchQuery } from '@sightline/core/similarity/find-mismatches';
import {
  direction,
  type SeededEnvironment,
  type SeededFace,
} from '../../support/fixtures/seeded-environment.ts';
import { type FollowedStore, followStore } from '../../support/fixtures/followed-store.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

const { cos, PI } = Math;

let store: StoreFixture;
let followed: FollowedStore;
let home: SeededEnvironment;
let ada: number;

beforeAll(async () => {
  store = await openStoreFixture();
  followed = await followStore(store);
});

beforeEach(async () => {
  home = await store.environment();
  ada = await home.identity('Ada');
});

afterAll(async () => {
  await followed[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

/** Creates a confirmed face of Ada's at an angle, enrolled by default. */
async function face(degrees: number, changes: SeededFace = {}): Promise<number> {
  const { ids } = await home.photo([
    {
      identityId: ada,
      reviewStatus: 'confirmed',
      embedding: { modelId: store.faceModelId, vector: direction(degrees) },
      enrolledBy: [store.faceModelId],
      ...changes,
    },
  ]);
  return ids[0]!;
}

async function find(query: Partial<MismatchQuery> = {}) {
  await followed.settle();
  const asked = { scope: home.scope, after: null, limit: 50, ...query };
  return findMismatches({ database: store.database, models: store.models }, asked);
}

async function idsBelow(threshold: number): Promise<readonly number[]> {
  const { items, count } = await find({ threshold });
  expect(items).toHaveLength(count);
  return items.map(({ id }) => id);
}

describe('mismatches', () => {
  test('are confirmed faces below the threshold, the worst first', async () => {
    await face(0);
    await face(20);
    const odd = await face(100);
    const worse = await face(150, { enrolledBy: [] });
    const { items, count, threshold, hasMore } = await find();
    expect(items.map(({ id, identity, similarity }) => [id, identity.label, similarity])).toEqual([
      [worse, 'Ada', expect.closeTo(cos((113.1 * PI) / 180), 2)],
      [odd, 'Ada', expect.closeTo(cos((90 * PI) / 180), 5)],
    ]);
    expect({ count, threshold, hasMore }).toEqual({ count: 2, threshold: 0.5, hasMore: false });
  });

  test('are not those whose mismatch was dismissed, which still count as references', async () => {
    await face(0);
    const odd = await face(90);
    const other = await face(90);
    await home.change(odd, 'mismatch_reviewed = true');
    expect(await idsBelow(0.72)).toHaveLength(2);
    expect(await idsBelow(0.72)).toContain(other);
  });

  test('need a vector of the active model, and another reference', async () => {
    const only = await face(0);
    await face(90, { embedding: null, enrolledBy: [] });
    const retired = { modelId: store.retiredFaceModelId, vector: direction(90) };
    await face(0, { embedding: retired, enrolledBy: [store.retiredFaceModelId] });
    expect(await idsBelow(1)).toEqual([]);
    const unlike = await face(90, { enrolledBy: [] });
    expect(await idsBelow(1)).toEqual([unlike]);
    expect(await idsBelow(1)).not.toContain(only);
  });

  test('are no pending faces', async () => {
    await face(0);
    await face(90, { enrolledBy: [], reviewStatus: 'pending' });
    expect(await idsBelow(1)).toEqual([]);
  });

  test('of one that merges are of its target; of one that is deleted, none', async () => {
    const bo = await home.identity('Bo');
    await face(0);
    await face(0, { identityId: bo });
    const odd = await face(90, { identityId: bo, enrolledBy: [] });
    expect(await idsBelow(0.5)).toEqual([odd]);
    // The first step of a merge deletes the mean vector of the merged identity.
    await store.query('DELETE FROM identity_means WHERE identity_id = $1', [bo]);
    const leave = (into: number | null) =>
      store.query('UPDATE identities SET deleting_since = now(), merged_into = $2 WHERE id = $1', [
        bo,
        into,
      ]);
    await leave(null);
    expect(await idsBelow(0.5)).toEqual([]);
    await leave(ada);
    await store.query('UPDATE detections SET mismatch_reviewed = true WHERE id = $1', [odd]);
    await store.query('UPDATE detections SET mismatch_reviewed = false WHERE id = $1', [odd]);
    const { items } = await find();
    expect(items).toMatchObject([{ id: odd, identity: { id: ada, label: 'Ada' } }]);
  });

  test('of equal similarity are ordered by id, and paged', async () => {
    await face(0);
    const odd: number[] = [];
    for (let i = 0; i < 5; i++) odd.push(await face(90, { enrolledBy: [] }));
    const seen: number[] = [];
    for (let after: MismatchQuery['after'] = null, more = true; more;) {
      const page = await find({ after, limit: 2 });
      expect(page.count).toBe(5);
      seen.push(...page.items.map(({ id }) => id));
      after = page.items.at(-1)!;
      more = page.hasMore;
    }
    expect(seen).toEqual(odd);
  });

  test('are found in every batch, each once', async () => {
    await face(0);
    const [source] = await store.query<{ id: number }>(
      'SELECT source_image_id AS id FROM detections WHERE environment_id = $1',
      [home.scope.environmentId],
    );
    await store.query(
      `WITH faces AS (
         INSERT INTO detections (environment_id, source_image_id, type, bbox_x, bbox_y, bbox_w, bbox_h,
           confidence, identity_id, review_status, decided_by, is_manual, crop_key, crop_bytes)
         SELECT $1, $2, 'face', 1, 1, 1, 1, 0.5, $3, 'confirmed', 'human', false, $1::bigint || '/c/' || n, 1
         FROM generate_series(1, 2500) AS n
         RETURNING id)
       INSERT INTO face_vectors (environment_id, detection_id, model_id, vector)
       SELECT $1, id, $4, '\\x000000000000803f' FROM faces`,
      [home.scope.environmentId, source!.id, ada, store.faceModelId],
    );
    const { count, items } = await find({ limit: 3 });
    expect(count).toBe(2500);
    expect(items).toHaveLength(3);
  });
});
