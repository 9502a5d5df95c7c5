import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { reviewFaces } from '@sightline/core/curation/review-faces';
import { countWhere, reviewChosen, reviewWhere } from '@sightline/core/curation/review-where';
import type { Database } from '@sightline/core/database/database';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

/** More faces than one transaction changes. */
const FACES = 45;

let store: StoreFixture;
let home: SeededEnvironment;
let ann: number;
let bea: number;
let ids: readonly number[];
const { signal } = new AbortController();

beforeAll(async () => {
  store = await openStoreFixture();
});

beforeEach(async () => {
  home = await store.environment();
  [ann, bea] = [await home.identity('Ann'), await home.identity('Bea')];
  const embedding = { modelId: store.faceModelId, vector: direction(10) };
  ({ ids } = await home.photo(Array.from({ length: FACES }, () => ({ embedding }))));
  await suggest(ids, ann);
});

afterAll(async () => {
  expect(await store.maintenance.contradictions()).toEqual([]);
  await store[Symbol.asyncDispose]();
});

async function suggest(faces: readonly number[], identityId: number): Promise<void> {
  const locks = faces.map((id) => ({ entity: 'detection', id }) as const);
  await store.database.withEntities({ ...home.scope, locks }, (tx) =>
    tx.suggestions.replace(
      store.faceModelId,
      faces.map((detectionId) => ({ detectionId, candidates: [{ identityId, similarity: 0.8 }] })),
    ),
  );
}

/** Returns the database with a step before the first writing transaction. */
function before(step: () => Promise<unknown>): Database {
  let isFirst = true;
  const { database } = store;
  return {
    withScope: (scope, read, given) => database.withScope(scope, read, given),
    deferred: () => database.deferred(),
    ready: (given) => database.ready(given),
    async withEntities(scope, write, given) {
      if (isFirst) {
        isFirst = false;
        await step();
      }
      return database.withEntities(scope, write, given);
    },
  };
}

function request(queuedUntil = new Date()) {
  const where = { identityId: ann, queuedUntil, except: [] };
  const review = { action: 'confirm', identityId: ann } as const;
  return { scope: home.scope, where, review };
}

async function identities(faces: readonly number[]) {
  const found = await Promise.all(faces.map((id) => home.detection(id)));
  return found.map((face) => face!.identityId);
}

describe('a decision about the faces of a filter', () => {
  test('is for all that waited, and leaves out what was decided', async () => {
    const later = await home.photo([{}]);
    const asked = request();
    expect(await countWhere(store, asked, signal)).toBe(FACES);
    const half = ids.slice(21);
    const chosen = { ...asked, ids: half };
    const part = await reviewChosen(store, chosen, { signal });
    expect(part).toEqual({ processed: FACES - 21, errors: [] });
    expect(await reviewChosen(store, chosen, { signal })).toEqual({ processed: 0, errors: [] });
    expect(await reviewWhere(store, asked, { signal })).toEqual({ processed: 21, errors: [] });
    expect(await identities(ids)).toEqual(ids.map(() => ann));
    expect(await identities(later.ids)).toEqual([null]);
  });

  test('leaves out the faces that change after they were chosen', async () => {
    const [decided, dismissed, suggested, deleted, queued] = ids;
    const asked = request();
    const database = before(async () => {
      const review = { action: 'confirm', identityId: bea } as const;
      await reviewFaces(store, { scope: home.scope, ids: [decided!], review });
      await home.change(dismissed!, 'dismissed_at = now()');
      await suggest([suggested!], bea);
      await store.query('DELETE FROM detections WHERE id = $1', [deleted]);
      await home.change(queued!, 'dismissed_at = now()');
      await home.change(queued!, 'dismissed_at = NULL');
    });
    const reviewed = await reviewWhere({ ...store, database }, asked, { signal });
    expect(reviewed).toEqual({ processed: FACES - 5, errors: [] });
    expect(await identities([decided!, dismissed!, suggested!, queued!])).toEqual([
      bea,
      null,
      null,
      null,
    ]);
  });
});

describe('the time from which a face waits', () => {
  const queuedAt = async (id: number) => {
    const [row] = await store.query<{ at: Date }>(
      'SELECT queued_at AS at FROM detections WHERE id = $1',
      [id],
    );
    return row!.at.getTime();
  };

  test('is when it was stored, and when it came back to the queue', async () => {
    const [id] = ids;
    const first = await queuedAt(id!);
    await home.change(id!, `confidence = 0.5, identity_id = ${ann}`);
    expect(await queuedAt(id!)).toBe(first);
    for (const [leave, enter] of [
      ['dismissed_at = now()', 'dismissed_at = NULL'],
      ["review_status = 'confirmed'", "review_status = 'pending'"],
    ] as const) {
      const before = await queuedAt(id!);
      await store.query('SELECT pg_sleep(0.003)');
      await home.change(id!, leave);
      expect(await queuedAt(id!)).toBe(before);
      await home.change(id!, enter);
      expect(await queuedAt(id!)).toBeGreaterThan(before);
    }
  });
});
