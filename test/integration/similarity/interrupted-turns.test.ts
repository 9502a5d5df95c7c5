import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { deleteDetections } from '@sightline/core/curation/delete-detections';
import { dismissFaces } from '@sightline/core/curation/dismiss-faces';
import type { Database } from '@sightline/core/database/database';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { type FollowedStore, followStore } from '../../support/fixtures/followed-store.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';
import { checkEnvironment } from '../../support/similarity/check-environment.ts';

/** So many strangers that the lists that 64 others enter are stored in several transactions. */
const MANY = 600;

let store: StoreFixture;
let followed: FollowedStore;
let home: SeededEnvironment;
/** Called before each transaction that stores; may throw. */
let beforeStoring: (() => Promise<void> | void) | null;
const { signal } = new AbortController();

beforeEach(async () => {
  store = await openStoreFixture();
  beforeStoring = null;
  const database: Database = {
    ...store.database,
    withScope: (...call) => store.database.withScope(...call),
    async withEntities(...call) {
      await beforeStoring?.();
      return store.database.withEntities(...call);
    },
    deferred: () => store.database.deferred(),
  };
  const { openFaces, similarityLog, similarityQueue } = store;
  followed = await followStore({ database, openFaces, similarityLog, similarityQueue });
  home = await store.environment();
});
afterEach(async () => {
  await followed[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

const facesAt = (angles: readonly number[]) =>
  angles.map((at) => ({ embedding: { modelId: store.faceModelId, vector: direction(at) } }));
const arrive = async (angles: readonly number[]) => (await home.photo(facesAt(angles))).ids;
const evenly = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => from + (360 / count) * at);
/** The differences from a computation from scratch. Nothing may be left out of the comparison. */
async function differences(): Promise<readonly string[]> {
  const { findings, skipped } = await checkEnvironment(store, home.scope.environmentId);
  expect(skipped).toEqual([]);
  return findings;
}

describe('a turn of several transactions', () => {
  beforeEach(async () => {
    await arrive(evenly(MANY));
    await followed.settle();
    expect(await differences()).toEqual([]);
    await arrive(evenly(64, 0.2));
  });

  test('is completed by another process after a failure between them', async () => {
    let transactions = 0;
    beforeStoring = () => {
      if (++transactions === 2) throw new StoreUnavailable('The database is down.');
    };
    await expect(followed.other().follower.next(signal)).rejects.toThrow(StoreUnavailable);
    expect(transactions).toBe(2);
    beforeStoring = null;
    await followed.other().settle();
    expect(await differences()).toEqual([]);
  });

  test('is overtaken by another process between them', async () => {
    const overtaking = followed.other();
    let transactions = 0;
    beforeStoring = async () => {
      if (++transactions !== 2) return;
      beforeStoring = null;
      await overtaking.settle();
    };
    await followed.other().follower.next(signal);
    expect(transactions).toBe(2);
    await followed.settle();
    expect(await differences()).toEqual([]);
  });
});

test('strangers that leave before their arrival was followed leave the lists of others', async () => {
  const ids = await arrive(evenly(200));
  const other = followed.other();
  // The first turn follows 64 of them.
  await other.follower.next(signal);
  const left = { scope: home.scope, ids: [ids[70]!, ids[190]!] };
  await dismissFaces(store, { ...left, action: 'dismiss' });
  await other.settle();
  expect(await differences()).toEqual([]);
});

test('a deleted stranger in no list leaves the groups, also if its space was not in memory', async () => {
  const ids = await arrive([...Array.from({ length: 40 }, (_, at) => at), 180]);
  await followed.settle();
  await deleteDetections(store, { scope: home.scope, ids: [ids[40]!] });
  await followed.other().settle();
  expect(await differences()).toEqual([]);
});

describe('a rebuild', () => {
  beforeEach(async () => {
    await arrive(evenly(60));
    await followed.settle();
  });

  test.each([
    ['groups that were lost', 'DELETE FROM group_trees'],
    [
      'a wrong list of neighbors',
      `UPDATE face_neighbors
       SET ids = (SELECT ids FROM face_neighbors ORDER BY detection_id DESC LIMIT 1)
       WHERE detection_id = (SELECT min(detection_id) FROM face_neighbors)`,
    ],
  ])('repairs %s', async (_, harm) => {
    await store.query(harm);
    expect(await differences()).not.toEqual([]);
    await store.similarityQueue.scanAll();
    await followed.settle();
    expect(await differences()).toEqual([]);
  });
});

test('a new calibration of the model changes what is stored', async () => {
  const identityId = await home.identity('Ada');
  const enrolledBy = [store.faceModelId];
  await home.photo(facesAt([0, 40]).map((face) => ({ ...face, identityId, enrolledBy })));
  await arrive([10, 20, 30]);
  await followed.settle();
  const knots = [
    [-1, -1],
    [0.5, 0.1],
    [1, 1],
  ] as const;
  await store.models.register([{ ...FACE_MODEL, similarityCalibration: knots }]);
  await followed.settle();
  expect(await differences()).toEqual([]);
  await store.models.register([{ ...FACE_MODEL, similarityCalibration: knots }]);
  expect(await store.similarityQueue.next(null)).toBeNull();
});

test('a confirmed face with a vector of a wrong length is set aside, and the others go on', async () => {
  const identityId = await home.identity('Ada');
  const enrolledBy = [store.faceModelId];
  await home.photo(facesAt([0, 10]).map((face) => ({ ...face, identityId, enrolledBy })));
  const { ids } = await home.photo(facesAt([20]).map((face) => ({ ...face, identityId })));
  await store.query(`UPDATE face_vectors SET vector = '\\x0000803f' WHERE detection_id = $1`, [
    ids[0],
  ]);
  await arrive([1, 2, 3]);
  await followed.settle();
  expect(followed.setAside).toContain(ids[0]);
  const [lists] = await store.query<{ n: number }>('SELECT count(*) AS n FROM face_neighbors');
  expect(lists!.n).toBe(3);
});

test('failures of one environment are reported while another one has something to do', async () => {
  await arrive(evenly(200));
  const failing = await store.environment();
  await failing.photo(facesAt([0, 10]));
  const { environmentId } = failing.scope;
  await store.query(
    `ALTER TABLE face_neighbors ADD CONSTRAINT no_more CHECK (environment_id <> ${environmentId})`,
  );
  const { follower } = followed.other();
  for (let turns = 0; turns < 20 && followed.failures.length === 0; turns++) {
    await follower.next(signal);
  }
  expect(followed.failures).not.toEqual([]);
});
