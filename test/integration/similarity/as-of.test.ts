import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { findClusters } from '@sightline/core/similarity/find-clusters';
import { findMismatches } from '@sightline/core/similarity/find-mismatches';
import { GroupCuts } from '@sightline/core/similarity/group-cuts';
import { type FollowedStore, followStore } from '../../support/fixtures/followed-store.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let followed: FollowedStore;
let home: SeededEnvironment;
const { signal } = new AbortController();

beforeEach(async () => {
  store = await openStoreFixture();
  followed = await followStore(store);
  home = await store.environment();
});

afterEach(async () => {
  await followed[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

const embedding = (degrees: number) => ({
  modelId: store.faceModelId,
  vector: direction(degrees),
});

async function strangers(...degrees: readonly number[]): Promise<readonly number[]> {
  return (await home.photo(degrees.map((at) => ({ embedding: embedding(at) })))).ids;
}

async function enroll(identityId: number, ...degrees: readonly number[]) {
  const enrolledBy = [store.faceModelId];
  const faces = degrees.map((at) => ({ identityId, embedding: embedding(at), enrolledBy }));
  return (await home.photo(faces)).ids;
}

/** The time of the database. */
async function now(): Promise<Date> {
  const [row] = await store.query<{ at: Date }>('SELECT clock_timestamp() AS at');
  return row!.at;
}

async function asOf() {
  const { scope } = home;
  const deps = { database: store.database, models: store.models, cuts: new GroupCuts() };
  const list = { scope, threshold: 0.5, after: null, limit: 10 };
  const groups = (await findClusters(deps, { ...list, items: 10 })).asOf;
  return { groups, mismatches: (await findMismatches(deps, list)).asOf };
}

test('is null without data, then before the first change, and after it when it was followed', async () => {
  expect(await asOf()).toEqual({ groups: null, mismatches: null });
  const before = await now();
  await strangers(0, 1);
  const after = await now();
  // The first turn follows the changes; the groups come with a later one.
  await followed.other({ restMs: 600_000 }).follower.next(signal);
  const begun = await asOf();
  expect(begun.groups!.getTime()).toBeGreaterThanOrEqual(before.getTime());
  expect(begun.groups!.getTime()).toBeLessThanOrEqual(after.getTime());
  await followed.settle();
  const followedAt = await asOf();
  expect(followedAt.groups!.getTime()).toBeGreaterThan(after.getTime() - 1);
  expect(followedAt.mismatches!.getTime()).toBeGreaterThan(after.getTime() - 1);
});

test('stays the same while nothing changes, and while changes are pending', async () => {
  await strangers(0, 1);
  await followed.settle();
  const atRest = await asOf();
  await store.query('SELECT pg_sleep(0.01)');
  expect(await asOf()).toEqual(atRest);
  await strangers(2);
  expect(await asOf()).toEqual(atRest);
  // Without a reader no change is recorded.
  await store.query(`DELETE FROM index_readers WHERE name = 'similarity'`);
  await strangers(3);
  expect(await asOf()).toEqual(atRest);
});

test('moves on with changes that concern no stranger, for groups as well', async () => {
  const ada = await home.identity('Ada');
  await enroll(ada, 0);
  await followed.settle();
  const before = await now();
  await enroll(ada, 5);
  await followed.settle();
  const { groups, mismatches } = await asOf();
  expect(groups!.getTime()).toBeGreaterThanOrEqual(before.getTime());
  expect(mismatches!.getTime()).toBeGreaterThanOrEqual(before.getTime());
});

test('of mismatches stays before references that changed a moment ago, until they were compared', async () => {
  const ada = await home.identity('Ada');
  const [id] = await enroll(ada, 0, 10, 20);
  await followed.settle();
  const before = await asOf();
  await actOnFace(store, { scope: home.scope, id: id!, action: 'revoke' });
  const changed = await now();
  const { follower } = followed.other({ restMs: 600_000 });
  for (let turns = 0; turns < 10; turns++) await follower.next(signal);
  await follower.idle();
  const { mismatches } = await asOf();
  expect(mismatches!.getTime()).toBeGreaterThanOrEqual(before.mismatches!.getTime());
  expect(mismatches!.getTime()).toBeLessThan(changed.getTime());
  await followed.settle();
  expect((await asOf()).mismatches!.getTime()).toBeGreaterThanOrEqual(changed.getTime());
});
