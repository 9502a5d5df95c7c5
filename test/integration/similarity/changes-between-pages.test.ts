import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { deleteIdentity } from '@sightline/core/curation/delete-identity';
import { mergeIdentity } from '@sightline/core/curation/merge-identity';
import type { Database } from '@sightline/core/database/database';
import { type FollowedStore, followStore } from '../../support/fixtures/followed-store.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';
import { checkEnvironment } from '../../support/similarity/check-environment.ts';
import {
  nearly,
  plainSimilarity,
  storedSimilarity,
} from '../../support/similarity/plain-similarity.ts';

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

const around = Array.from({ length: 450 }, (_, at) => (at * 7) % 360);

/** Enrolls three references for each of many people at once, and returns the people and their faces. */
async function enrollMany(people: number) {
  const identities = await Promise.all(
    Array.from({ length: people }, (_, at) => home.identity(`Person ${at}`)),
  );
  const { ids } = await home.photo(
    identities.flatMap((identityId, at) =>
      [0, 1, 2].map((part) => ({
        identityId,
        embedding: embedding(at * 5 + part),
        enrolledBy: [store.faceModelId],
      })),
    ),
  );
  return { identities, faces: ids };
}

async function suggestionsAreRight(): Promise<void> {
  const subject = { ...home.scope, modelId: store.faceModelId };
  const expected = await plainSimilarity(store, subject, 'best_match');
  const { suggestions } = await storedSimilarity(store, subject);
  expect(suggestions).toEqual(nearly(expected.suggestions));
}

test('many new references are suggested for every open face, whatever changes meanwhile', async () => {
  await strangers(...around);
  await followed.settle();
  const { follower } = followed.other();
  const { identities, faces } = await enrollMany(40);
  // The first page of open faces is compared in the first turn, the second page in the second one.
  await follower.next(signal);
  const { scope } = home;
  await actOnFace(store, { scope, id: faces[0]!, action: 'revoke' });
  await actOnFace(store, {
    scope,
    id: faces[3]!,
    action: 'relabel',
    target: { label: 'Person 20' },
  });
  await mergeIdentity(store, { scope, id: identities[2]!, into: identities[9]! });
  await strangers(3);
  while (await follower.next(signal));
  await follower.idle();
  await followed.settle();
  await suggestionsAreRight();
});

test('a process that ends between the pages is continued by another one', async () => {
  await strangers(...around);
  await followed.settle();
  await enrollMany(40);
  const { follower } = followed.other();
  await follower.next(signal);
  await follower.idle();
  await followed.settle();
  await suggestionsAreRight();
});

test('another strategy that is set during the first turn holds for what this turn stores', async () => {
  const ada = await home.identity('Ada');
  await enroll(ada, 0, 80);
  await strangers(0, 5);
  beforeStoring = () =>
    store.database.withEntities({ ...home.scope, locks: [] }, ({ settings }) =>
      settings.put('face.match_strategy', 'average'),
    );
  await isRight();
});
