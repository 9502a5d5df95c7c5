import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import type { SimilarityFollower } from '@sightline/core/similarity/similarity-follower';
import { EmbeddedFaceVectors } from '@sightline/vectors/embedded/embedded-face-vectors';
import { type FollowedStore, followStore } from '../../support/fixtures/followed-store.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';
import { checkEnvironment } from '../../support/similarity/check-environment.ts';
import {
  nearly,
  plainSimilarity,
  storedSimilarity,
} from '../../support/similarity/plain-similarity.ts';

/** Counts the vectors that are compared with all open faces. */
class CountingVectors extends EmbeddedFaceVectors {
  compared = 0;

  override above(...call: Parameters<EmbeddedFaceVectors['above']>) {
    this.compared += call[1].length;
    return super.above(...call);
  }
}

let store: StoreFixture;
let followed: FollowedStore;
const { signal } = new AbortController();

beforeEach(async () => {
  store = await openStoreFixture();
  followed = await followStore(store);
});

afterEach(async () => {
  await followed[Symbol.asyncDispose]();
  await store[Symbol.asyncDispose]();
});

const STRANGERS = 450;

const embedding = (degrees: number) => ({
  modelId: store.faceModelId,
  vector: direction(degrees),
});

/** An environment with strangers who are all similar to a face at 0 degrees. */
async function inhabited(): Promise<SeededEnvironment> {
  const home = await store.environment();
  await home.photo(
    Array.from({ length: STRANGERS }, (_, at) => ({ embedding: embedding((at % 60) - 30) })),
  );
  return home;
}

/** Enrolls faces of a person, and returns their ids. */
async function enroll(home: SeededEnvironment, ...degrees: readonly number[]) {
  const identityId = await home.identity('Ada');
  const { ids } = await home.photo(
    degrees.map((at) => ({
      identityId,
      embedding: embedding(at),
      enrolledBy: [store.faceModelId],
    })),
  );
  return ids;
}

async function suggestedFaces({ scope }: SeededEnvironment): Promise<number> {
  const subject = { ...scope, modelId: store.faceModelId };
  const { suggestions } = await storedSimilarity(store, subject);
  return Object.values(suggestions).filter((similarities) => Object.keys(similarities).length > 0)
    .length;
}

async function isRight(home: SeededEnvironment): Promise<void> {
  const check = await checkEnvironment(store, home.scope.environmentId);
  expect(check).toEqual({ findings: [], skipped: [] });
}

/** Gives a number of turns, or fewer if nothing is left to do. */
async function follow(follower: SimilarityFollower, most: number): Promise<void> {
  for (let turns = 0; turns < most && (await follower.next(signal)); turns++);
  await follower.idle();
}

test.each([
  // More references than one turn takes, so they are compared with a page of the faces at a time.
  ['many references', 200],
  ['a few references', 10],
])('%s are followed beside another environment that fits into memory alone', async (_, count) => {
  const homes = [await inhabited(), await inhabited()];
  await followed.settle();
  for (const home of homes) {
    await enroll(home, ...Array.from({ length: count }, (__, at) => at % 20));
  }
  await follow(followed.other({ keptBytes: 0 }).follower, 60);
  const [left] = await store.query<{ count: number }>(
    `SELECT count(*) FROM vector_changes WHERE kind = 'references' AND reader_id =
       (SELECT id FROM index_readers WHERE name = 'similarity')`,
  );
  expect(left!.count).toBe(0);
  for (const { scope } of homes) {
    const subject = { ...scope, modelId: store.faceModelId };
    const expected = await plainSimilarity(store, subject, 'best_match');
    const { suggestions } = await storedSimilarity(store, subject);
    expect(suggestions).toEqual(nearly(expected.suggestions));
  }
});

test('the faces of an identity are read beside another environment that fits into memory alone', async () => {
  const homes = [await inhabited(), await inhabited()];
  const enrolled = await Promise.all(homes.map((home) => enroll(home, 0, 5)));
  await followed.settle();
  for (const [index, { scope }] of homes.entries()) {
    await actOnFace(store, { scope, id: enrolled[index]![0]!, action: 'revoke' });
  }
  await follow(followed.other({ keptBytes: 0 }).follower, 60);
  const [left] = await store.query<{ count: number }>(
    `SELECT count(*) FROM vector_changes WHERE kind = 'losses'`,
  );
  expect(left!.count).toBe(0);
});

test('a reference that many faces are similar to is stored for some of them in each turn', async () => {
  const home = await inhabited();
  await followed.settle();
  const ids = await enroll(home, 0, 5);
  const busy = followed.other({ isBusy: () => true });
  await busy.follower.next(signal);
  expect(await suggestedFaces(home)).toBe(100);
  // The remaining faces have the references of the time when they are stored.
  await actOnFace(store, { scope: home.scope, id: ids[1]!, action: 'revoke' });
  await home.change(ids[0]! - STRANGERS, 'dismissed_at = now()');
  await busy.settle();
  expect(await suggestedFaces(home)).toBe(STRANGERS - 1);
  await isRight(home);
});

test('means that changed are compared with the open faces once, although their faces take turns', async () => {
  const home = await inhabited();
  await store.database.withEntities({ ...home.scope, locks: [] }, ({ settings }) =>
    settings.put('face.match_strategy', 'average'),
  );
  await enroll(home, 0);
  await followed.settle();
  await home.photo([{ identityId: 1, embedding: embedding(10), enrolledBy: [store.faceModelId] }]);
  const faceVectors = new CountingVectors();
  await followed.other({ faceVectors }).settle();
  expect(faceVectors.compared).toBe(1);
  await isRight(home);
});
