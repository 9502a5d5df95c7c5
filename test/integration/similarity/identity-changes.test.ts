import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { deleteIdentity } from '@sightline/core/curation/delete-identity';
import { mergeIdentity } from '@sightline/core/curation/merge-identity';
import type { Database } from '@sightline/core/database/database';
import { type FollowedStore, followStore } from '../../support/fixtures/followed-store.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';
import { checkEnvironment } from '../../support/similarity/check-environment.ts';

let store: StoreFixture;
let followed: FollowedStore;
let home: SeededEnvironment;
/** Runs once, before the follower stores something. */
let beforeStoring: (() => Promise<unknown>) | null;
const { signal } = new AbortController();

beforeEach(async () => {
  store = await openStoreFixture();
  beforeStoring = null;
  const database: Database = {
    ...store.database,
    withScope: (...call) => store.database.withScope(...call),
    async withEntities(...call) {
      const [run] = [beforeStoring];
      beforeStoring = null;
      await run?.();
      return store.database.withEntities(...call);
    },
  };
  const { openFaces, similarityLog, similarityQueue } = store;
  followed = await followStore({ database, openFaces, similarityLog, similarityQueue });
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

async function enroll(identityId: number, ...degrees: readonly number[]) {
  const { ids } = await home.photo(
    degrees.map((at) => ({
      identityId,
      embedding: embedding(at),
      enrolledBy: [store.faceModelId],
    })),
  );
  return ids;
}

async function strangers(...degrees: readonly number[]): Promise<void> {
  await home.photo(degrees.map((at) => ({ embedding: embedding(at) })));
}

async function isRight(): Promise<void> {
  await followed.settle();
  const check = await checkEnvironment(store, home.scope.environmentId);
  expect(check).toEqual({ findings: [], skipped: [] });
}

test('an identity that loses a reference between two pages of its faces is read once more', async () => {
  const ada = await home.identity('Ada');
  const ids = await enroll(ada, ...Array.from({ length: 250 }, (_, at) => at % 80));
  await strangers(...Array.from({ length: 450 }, (_, at) => 20 + (at % 60)));
  await followed.settle();
  const { follower } = followed.other();
  for (const id of ids.slice(1, 4)) {
    await actOnFace(store, { scope: home.scope, id, action: 'revoke' });
    await follower.next(signal);
  }
  while (await follower.next(signal));
  await follower.idle();
  await isRight();
});

test.each([
  ['deleted', (id: number) => deleteIdentity(store, { scope: home.scope, id })],
  ['merged', (id: number, into: number) => mergeIdentity(store, { scope: home.scope, id, into })],
])(
  'another identity takes the place of one that is %s before suggestions are stored',
  async (_, end) => {
    const people = await Promise.all(
      Array.from({ length: 20 }, async (_, at) => {
        const id = await home.identity(`Person ${at}`);
        await enroll(id, at + 1);
        return id;
      }),
    );
    await followed.settle();
    await strangers(0);
    beforeStoring = () => end(people[3]!, people[5]!);
    await isRight();
  },
);
