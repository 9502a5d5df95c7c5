import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Database } from '@sightline/core/database/database';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import { EmbeddedFaceVectors } from '@sightline/vectors/embedded/embedded-face-vectors';
import { type FollowedStore, followStore } from '../../support/fixtures/followed-store.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';
import { storedSimilarity } from '../../support/similarity/plain-similarity.ts';

/** Counts the faces that searches of strangers find at once. */
class CountingVectors extends EmbeddedFaceVectors {
  most = 0;

  override async strangersAbove(...call: Parameters<EmbeddedFaceVectors['strangersAbove']>) {
    const found = await super.strangersAbove(...call);
    this.most = Math.max(
      this.most,
      found.reduce((sum, { ids }) => sum + ids.length, 0),
    );
    return found;
  }
}

let store: StoreFixture;
let followed: FollowedStore;
/** The environment whose reads fail; null for none. */
let failing: number | null = null;

beforeEach(async () => {
  store = await openStoreFixture();
  const database: Database = {
    ...store.database,
    withScope: (scope, read, signal) =>
      scope.environmentId === failing
        ? Promise.reject(new VectorsUnavailable('down'))
        : store.database.withScope(scope, read, signal),
    withEntities: (...call) => store.database.withEntities(...call),
    deferred: () => store.database.deferred(),
  };
  followed = await followStore({
    database,
    openFaces: store.openFaces,
    similarityLog: store.similarityLog,
    similarityQueue: store.similarityQueue,
  });
});

afterEach(async () => {
  await followed[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

async function arrive(home: SeededEnvironment, count: number): Promise<void> {
  await home.photo(
    Array.from({ length: count }, (_, at) => ({
      embedding: { modelId: store.faceModelId, vector: direction(at) },
    })),
  );
}

async function listsOf(home: SeededEnvironment): Promise<number> {
  const subject = { ...home.scope, modelId: store.faceModelId };
  return Object.keys((await storedSimilarity(store, subject)).neighbors).length;
}

test('an environment that fails rests, and delays no other one', async () => {
  const [broken, working] = [await store.environment(), await store.environment()];
  await arrive(broken, 3);
  await arrive(working, 3);
  failing = broken.scope.environmentId;
  await expect(followed.settle()).rejects.toThrow('down');
  // The outage goes on while the environment rests.
  await expect(followed.settle()).rejects.toThrow('down');
  expect([await listsOf(broken), await listsOf(working)]).toEqual([0, 3]);
  failing = null;
  await delay(1_000);
  await followed.settle();
  expect(await listsOf(broken)).toBe(3);
});

test('an environment with many changes gives others their turns', async () => {
  const [large, small] = [await store.environment(), await store.environment()];
  for (let photos = 0; photos < 10; photos++) await arrive(large, 60);
  await arrive(small, 2);
  const { follower } = followed.other();
  const { signal } = new AbortController();
  for (let turns = 0; turns < 2; turns++) await follower.next(signal);
  expect(await listsOf(small)).toBe(2);
  expect(await listsOf(large)).toBeLessThan(600);
  await follower.idle();
});

test('a process that answers requests works on fewer faces in a turn', async () => {
  const home = await store.environment();
  await arrive(home, 60);
  const busy = followed.other({ isBusy: () => true });
  await busy.follower.next(new AbortController().signal);
  expect(await listsOf(home)).toBe(16);
  await busy.settle();
  expect(await listsOf(home)).toBe(60);
});

test('a few strangers are compared with each other, not with the faces that have an identity', async () => {
  const home = await store.environment();
  const identityId = await home.identity('Ada');
  await home.photo(
    Array.from({ length: 300 }, (_, at) => ({
      identityId,
      reviewStatus: 'pending' as const,
      embedding: { modelId: store.faceModelId, vector: direction(at) },
    })),
  );
  await arrive(home, 20);
  await followed.settle();
  const faceVectors = new CountingVectors();
  const other = followed.other({ faceVectors });
  await arrive(home, 10);
  await other.settle();
  expect(await listsOf(home)).toBe(30);
  // Eight of the faces that arrive, each with all strangers.
  expect(faceVectors.most).toBe(8 * 30);
});

test('an environment that does not fit into memory is refused, and followed when there is more', async () => {
  const [large, small] = [await store.environment(), await store.environment()];
  await arrive(large, 200);
  await arrive(small, 3);
  // A stranger takes a bit more than a kilobyte.
  const { follower } = followed.other({ loadingBytes: 100_000 });
  const { signal } = new AbortController();
  for (let turns = 0; turns < 6; turns++) await follower.next(signal);
  await follower.idle();
  expect(followed.failures.map(({ message }) => message)).toEqual([
    expect.stringContaining(
      `Environment ${large.scope.environmentId} has too many open faces for the memory`,
    ),
  ]);
  expect([await listsOf(large), await listsOf(small)]).toEqual([0, 3]);
  await followed.other().settle();
  expect(await listsOf(large)).toBe(200);
});

test('an environment that grows beyond its memory is refused, too', async () => {
  const home = await store.environment();
  await arrive(home, 60);
  const limited = followed.other({ loadingBytes: 100_000 });
  await limited.settle();
  for (let photos = 0; photos < 3; photos++) await arrive(home, 60);
  await expect(limited.settle()).rejects.toThrow('too many open faces');
  expect(await listsOf(home)).toBeLessThan(240);
});

test('spaces of previous models have turns when the others have nothing to do', async () => {
  const home = await store.environment();
  const faces = (modelId: number, count: number) =>
    home.photo(
      Array.from({ length: count }, (_, at) => ({ embedding: { modelId, vector: direction(at) } })),
    );
  const { ids } = await faces(store.retiredFaceModelId, 3);
  const isFollowed = async (modelId: number) =>
    (await store.query('SELECT FROM followed_spaces WHERE model_id = $1', [modelId])).length > 0;
  const { follower } = followed.other();
  const { signal } = new AbortController();
  // The changes of the active model never end.
  for (let turns = 0; turns < 8; turns++) {
    await faces(store.faceModelId, 20);
    await follower.next(signal);
  }
  await follower.idle();
  expect(await isFollowed(store.faceModelId)).toBe(true);
  expect(await isFollowed(store.retiredFaceModelId)).toBe(false);
  await followed.other().settle();
  expect(await isFollowed(store.retiredFaceModelId)).toBe(true);
  // A departure ends when the trees of all models lack the face.
  await home.change(ids[0]!, 'dismissed_at = now()');
  await followed.other().settle();
  expect(await store.query('SELECT FROM departed_strangers')).toEqual([]);
});

test('an environment that is deleted before its tree was stored leaves the memory to others', async () => {
  const [deleted, other] = [await store.environment(), await store.environment()];
  await arrive(deleted, 30);
  const { signal } = new AbortController();
  const { follower } = followed.other({ keptBytes: 0 });
  await follower.next(signal);
  await follower.idle();
  for (const table of [
    'vector_changes',
    'suggestions',
    'face_neighbors',
    'group_trees',
    'attached_strangers',
    'departed_strangers',
    'followed_spaces',
  ]) {
    await store.query(`DELETE FROM ${table} WHERE environment_id = $1`, [
      deleted.scope.environmentId,
    ]);
  }
  await arrive(other, 20);
  const isSettled = async () => {
    const [space] = await store.query<{ settled: boolean }>(
      'SELECT is_settled AS settled FROM followed_spaces WHERE environment_id = $1',
      [other.scope.environmentId],
    );
    return space?.settled ?? false;
  };
  for (let turns = 0; turns < 200 && !(await isSettled()); turns++) {
    await follower.next(signal);
    await follower.idle();
    await delay(20);
  }
  expect(await isSettled()).toBe(true);
});
