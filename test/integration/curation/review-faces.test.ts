import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { deleteIdentity } from '@sightline/core/curation/delete-identity';
import { labelDetections } from '@sightline/core/curation/label-detections';
import { type ReviewAction, reviewFaces } from '@sightline/core/curation/review-faces';
import type { Database } from '@sightline/core/database/database';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;
let ann: number;
let ids: readonly number[];

beforeAll(async () => {
  store = await openStoreFixture();
});

beforeEach(async () => {
  home = await store.environment();
  ann = await home.identity('Ann');
  const embedding = { modelId: store.faceModelId, vector: direction(10) };
  ({ ids } = await home.photo(Array.from({ length: 5 }, () => ({ embedding }))));
  await home.events();
});

afterAll(async () => {
  expect(await store.maintenance.contradictions()).toEqual([]);
  await store[Symbol.asyncDispose]();
});

function review(
  asked: ReviewAction,
  changes: Partial<Pick<StoreFixture, 'database' | 'models'>> = {},
) {
  return reviewFaces({ ...store, ...changes }, { scope: home.scope, ids, review: asked });
}

/** Returns the faces that events report as labeled, in the order of the events. */
async function labeled(): Promise<readonly number[]> {
  return (await home.events()).flatMap(({ event, data }) =>
    event === 'detection.labeled' && data.identity_id !== null ? [data.detection_id] : [],
  );
}

/** Returns the database with a step before each writing transaction. */
function before(step: (count: number) => void | Promise<void>): Database {
  let count = 0;
  const { database } = store;
  return {
    withScope: (scope, read, signal) => database.withScope(scope, read, signal),
    ready: (signal) => database.ready(signal),
    async withEntities(scope, write, signal) {
      await step(count++);
      return database.withEntities(scope, write, signal);
    },
  };
}

describe('reviewFaces', () => {
  test('goes through the faces in the order given', async () => {
    ids = ids.toReversed();
    const confirm = { action: 'confirm', identityId: ann } as const;
    expect(await review(confirm)).toEqual({ processed: 5, errors: [] });
    expect(await labeled()).toEqual(ids);
    expect(await review(confirm)).toEqual({ processed: 5, errors: [] });
    expect(await labeled()).toEqual([]);
  });

  test('when the database goes away, what was done stays, and the same request does the rest', async () => {
    const confirm = { action: 'confirm', identityId: ann } as const;
    const database = before((count) => {
      if (count === 3) throw new StoreUnavailable('The database is down.');
    });
    await expect(review(confirm, { database })).rejects.toMatchObject({
      code: 'store_unavailable',
    });
    expect(await labeled()).toEqual(ids.slice(0, 3));
    expect(await review(confirm)).toMatchObject({ processed: 5 });
    expect(await labeled()).toEqual(ids.slice(3));
  });

  test('an abort ends it between two faces', async () => {
    const abort = new AbortController();
    const database = before((count) => {
      if (count === 2) abort.abort(new Error('gone'));
    });
    const request = { scope: home.scope, ids, review: { action: 'reject' } as const };
    const aborted = reviewFaces({ ...store, database }, request, { signal: abort.signal });
    await expect(aborted).rejects.toThrow('gone');
    const found = await Promise.all(ids.map((id) => home.detection(id)));
    expect(found.map((face) => face!.reviewStatus)).toEqual([
      'rejected',
      'rejected',
      'pending',
      'pending',
      'pending',
    ]);
  });

  test('an identity that is deleted in the middle is an error of each face after it', async () => {
    const database = before(async (count) => {
      if (count === 2) await deleteIdentity(store, { scope: home.scope, id: ann });
    });
    const { processed, errors } = await review(
      { action: 'reassign', identityId: ann },
      { database },
    );
    expect(processed).toBe(2);
    expect(errors.map(({ id, error }) => [id, error.code])).toEqual(
      ids.slice(2).map((id) => [id, 'not_found']),
    );
    const left = await Promise.all(ids.map((id) => home.detection(id)));
    // The first faces were deleted with the identity.
    expect(left.map((face) => face?.identityId)).toEqual([undefined, undefined, null, null, null]);
  });

  test('after a change of the model, faces are enrolled for the new one', async () => {
    const database = before(async (count) => {
      if (count === 2) await store.models.activate(store.retiredFaceModelId);
    });
    const { processed } = await review({ action: 'confirm', identityId: ann }, { database });
    await store.models.activate(store.faceModelId);
    expect(processed).toBe(5);
    const references = await store.database.withScope(home.scope, (stores) =>
      stores.references.ofDetections(ids),
    );
    // A face without a vector of the new model gets a reference of the model whose vector it has.
    expect(references.map(({ detectionId }) => detectionId)).toEqual(ids);
    expect(new Set(references.map((reference) => reference.modelId))).toEqual(
      new Set([store.faceModelId]),
    );
  });

  test('settles once, after the last face', async () => {
    const settled: unknown[] = [];
    const request = { scope: home.scope, ids, review: { action: 'reject' } as const };
    const result = await reviewFaces(store, request, {
      settle: async (tx, answer) => {
        const last = await tx.detections.byId(ids.at(-1)!);
        settled.push([last!.reviewStatus, answer]);
      },
    });
    expect(settled).toEqual([['rejected', result]]);
  });
});

test('labelDetections creates an identity once, and finds it for the items after', async () => {
  const target = { label: 'Bea' };
  const items = ids.map((id) => ({ id, target }));
  let transactions = 0;
  const database = before(() => {
    transactions++;
  });
  const outcomes = await labelDetections({ ...store, database }, { scope: home.scope, items });
  expect(outcomes).toEqual(ids.map((id) => ({ id, error: null })));
  expect(transactions).toBe(5);
  const events = await home.events();
  expect(events.filter(({ event }) => event === 'identity.created')).toHaveLength(1);
});
