import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { mergeIdentity } from '@sightline/core/curation/merge-identity';
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

/** Enrolls three references for each of many people at once, and returns the people and their faces. */
async function enroll(people: number) {
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

const strangers = Array.from({ length: 450 }, (_, at) => ({ degrees: (at * 7) % 360 }));

test('many new references are suggested for every open face, whatever changes meanwhile', async () => {
  await home.photo(strangers.map(({ degrees }) => ({ embedding: embedding(degrees) })));
  await followed.settle();
  const { follower } = followed.other();
  const { identities, faces } = await enroll(40);
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
  await home.photo([{ embedding: embedding(3) }]);
  while (await follower.next(signal));
  await follower.idle();
  await followed.settle();
  await suggestionsAreRight();
});

test('a process that ends between the pages is continued by another one', async () => {
  await home.photo(strangers.map(({ degrees }) => ({ embedding: embedding(degrees) })));
  await followed.settle();
  await enroll(40);
  const { follower } = followed.other();
  await follower.next(signal);
  await follower.idle();
  await followed.settle();
  await suggestionsAreRight();
});
