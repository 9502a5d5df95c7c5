import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { type FollowedStore, followStore } from '../../support/fixtures/followed-store.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';
import {
  nearly,
  plainSimilarity,
  storedSimilarity,
} from '../../support/similarity/plain-similarity.ts';

let store: StoreFixture;
let followed: FollowedStore;
let home: SeededEnvironment;

beforeEach(async () => {
  store = await openStoreFixture();
  followed = await followStore(store);
  home = await store.environment();
});

afterEach(async () => {
  await followed[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

async function arrive(...angles: readonly number[]): Promise<readonly number[]> {
  const { ids } = await home.photo(
    angles.map((degrees) => ({
      embedding: { modelId: store.faceModelId, vector: direction(degrees) },
    })),
  );
  return ids;
}

async function name(id: number, label: string): Promise<void> {
  await actOnFace(store, { scope: home.scope, id, action: 'relabel', target: { label } });
}

async function expectExact(): Promise<void> {
  const subject = { ...home.scope, modelId: store.faceModelId };
  const expected = await plainSimilarity(store, subject, 'best_match');
  expect(await storedSimilarity(store, subject)).toEqual(nearly(expected));
}

const angles = Array.from({ length: 40 }, (_, at) => at * 8);

test('a follower that was paused begins with the rows, and takes nothing back', async () => {
  const ids = await arrive(...angles);
  await followed.settle();
  const other = followed.other();
  await name(ids[3]!, 'Ada');
  await arrive(5, 6);
  await other.settle();
  // The first follower still knows the faces as they were before the other one worked.
  await name(ids[7]!, 'Bo');
  await arrive(200);
  await followed.settle();
  await expectExact();
  await name(ids[9]!, 'Cy');
  await other.settle();
  await expectExact();
});

test('two followers at the same time store the same as one', async () => {
  const ids = await arrive(...angles);
  const other = followed.other();
  await Promise.all([followed.settle(), other.settle()]);
  await expectExact();
  for (const [at, id] of ids.slice(0, 6).entries()) {
    await Promise.all([name(id, `P${at % 3}`), followed.settle(), other.settle()]);
  }
  await Promise.all([followed.settle(), other.settle()]);
  await expectExact();
});

test('a follower that ends in the middle is continued by another one', async () => {
  await arrive(...angles, ...angles.map((angle) => angle + 3));
  const { signal } = new AbortController();
  for (let turns = 0; turns < 4; turns++) {
    const { follower } = followed.other();
    await follower.next(signal);
  }
  await followed.other().settle();
  await expectExact();
});

test('a rebuild computes what was lost again', async () => {
  const ids = await arrive(...angles);
  await name(ids[0]!, 'Ada');
  await name(ids[1]!, 'Ada');
  await followed.settle();
  for (const table of ['suggestions', 'face_neighbors', 'mismatch_scores', 'group_trees']) {
    await store.query(`DELETE FROM ${table}`);
  }
  await store.similarityQueue.scanAll();
  await followed.settle();
  await expectExact();
});

test('faces with vectors that cannot be compared are set aside, and the others are followed', async () => {
  const ids = await arrive(...angles);
  const bad = Buffer.from(Float32Array.of(NaN, 1).buffer);
  const zero = Buffer.from(new Float32Array(2).buffer);
  await store.query('UPDATE face_vectors SET vector = $2 WHERE detection_id = $1', [ids[0], bad]);
  await store.query('UPDATE face_vectors SET vector = $2 WHERE detection_id = $1', [ids[1], zero]);
  await store.query(`UPDATE face_vectors SET vector = '\\x00' WHERE detection_id = $1`, [ids[2]]);
  await followed.settle();
  expect(new Set(followed.setAside)).toEqual(new Set(ids.slice(0, 3)));
  const { neighbors } = await storedSimilarity(store, {
    ...home.scope,
    modelId: store.faceModelId,
  });
  expect(Object.keys(neighbors).map(Number)).toEqual(ids.slice(3));
});

test('many copies of one photo are one group', async () => {
  await arrive(...Array<number>(300).fill(10), 200, 201);
  await followed.settle();
  await expectExact();
});
