import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { deleteDetections } from '@sightline/core/curation/delete-detections';
import { deleteIdentity } from '@sightline/core/curation/delete-identity';
import { finishDeletions } from '@sightline/core/curation/finish-deletions';
import { mergeIdentity } from '@sightline/core/curation/merge-identity';
import { setIdentityCover } from '@sightline/core/curation/set-identity-cover';
import type { Database, Stores } from '@sightline/core/database/database';
import { identifyFaces } from '@sightline/core/recognition/identify-faces';
import { findDrift } from '@sightline/core/vectors/find-drift';
import {
  faceAt,
  openRecognition,
  photo,
  type RecognitionFixture,
  visitor,
} from '../../support/fixtures/recognition-fixture.ts';
import { alteringTransactions, writingBy } from '../../support/fixtures/altered-database.ts';
import { seedCrowd } from '../../support/fixtures/seed-crowd.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import type { StoreFixture } from '../../support/fixtures/store-fixture.ts';

/**
 * The number of detections for a merge in three steps. The first step begins the merge, and the
 * last one ends it.
 */
const DETECTIONS = 1100;

let fixture: RecognitionFixture;
let store: StoreFixture;
let home: SeededEnvironment;
let modelId: number;
let crowd: number;
/** Ada and Bob are identities with one detection each. */
let ada: number;
let bob: number;
/** The ids of the crowd's faces, in the order in which they move. */
let faces: readonly number[];

beforeAll(async () => {
  fixture = await openRecognition();
  ({ store } = fixture);
  modelId = store.faceModelId;
});

beforeEach(async () => {
  home = await store.environment();
  fixture.scenes.clear();
  crowd = await home.identity('Crowd');
  await seedCrowd(store, home, { identityId: crowd, count: DETECTIONS });
  const rows = await store.query<{ id: number }>(
    'SELECT id FROM detections WHERE environment_id = $1 ORDER BY detected_at, id',
    [home.scope.environmentId],
  );
  faces = rows.map(({ id }) => id);
  [ada, bob] = [await home.identity('Ada'), await home.identity('Bob')];
  await home.photo([enrolled(ada, 50), enrolled(bob, 100)]);
  await home.events();
});

afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

function enrolled(identityId: number, degrees: number) {
  const embedding = { modelId, vector: direction(degrees) };
  return { identityId, embedding, enrolledBy: [modelId] };
}

const merge = (id: number, into: number, database: Database = store.database) =>
  mergeIdentity({ database }, { scope: home.scope, id, into });

const remove = (id: number) => deleteIdentity(store, { scope: home.scope, id });

const read = <T>(work: (stores: Stores) => Promise<T>) =>
  store.database.withScope(home.scope, work);

const label = (id: number, identityId: number) =>
  actOnFace(store, { scope: home.scope, id, action: 'relabel', target: { identityId } });

function afterEachStep(act: () => Promise<unknown>): Database {
  const { database } = store;
  return writingBy(database, async (...call) => {
    const result = await database.withEntities(...call);
    await act();
    return result;
  });
}

/** Returns the database of a process that is killed after this number of transactions. */
function killedAfter(steps: number): Database {
  let left = steps;
  return afterEachStep(() =>
    --left > 0 ? Promise.resolve() : Promise.reject(new Error('killed')),
  );
}

/** Begins a merge, and abandons it as a killed process does. */
const begin = (id: number, into: number, steps = 1) =>
  expect(merge(id, into, killedAfter(steps))).rejects.toThrow('killed');

/** Returns the contradictions in rows and index. */
async function findings(): Promise<readonly unknown[]> {
  const { source, changeLog } = store;
  await fixture.catchUp();
  const drift = [];
  for (const space of await source.possibleSpaces()) {
    drift.push(...(await findDrift({ source, index: fixture.index }, { space, settle })));
  }
  expect(await changeLog.backlog()).toBe(0);
  return [...(await store.maintenance.contradictions()), ...drift];
}

const settle = () => Promise.resolve();

const labels = async () => {
  const page = { after: null, limit: null };
  const { items } = await read(({ identities }) => identities.list({}, page));
  return items.map((identity) => identity.label);
};

const countOf = async (id: number) =>
  (await read(({ identities }) => identities.details(id, modelId)))?.detectionCount ?? null;

describe('a merge in steps', () => {
  const expectMerged = async () => {
    await read(async ({ identities, detections, references, gallery, statistics }) => {
      expect(await identities.byId(crowd)).toBeNull();
      expect(await identities.byLabels('face', ['Crowd'])).toEqual([]);
      expect(await identities.details(ada, modelId)).toMatchObject({
        detectionCount: DETECTIONS + 1,
        embeddingCount: DETECTIONS + 1,
        pendingReviewCount: 0,
      });
      expect(await identities.count({})).toBe(2);
      const seen = await detections.byIds(faces);
      expect(new Set(seen.map((face) => `${face.identityId} ${face.label}`))).toEqual(
        new Set([`${ada} Ada`]),
      );
      expect(seen).toHaveLength(DETECTIONS);
      const all = { before: null, limit: null };
      const { items } = await references.list({ identityId: ada }, all);
      expect(items).toHaveLength(DETECTIONS + 1);
      expect(items.every((item) => item.identityId === ada && item.label === 'Ada')).toBe(true);
      expect((await references.list({ identityId: crowd }, all)).items).toEqual([]);
      const links = await references.ofDetections(faces);
      expect(new Set(links.map(({ identityId }) => identityId))).toEqual(new Set([ada]));
      expect(await gallery.referencesOf(modelId, [ada])).toHaveLength(DETECTIONS + 1);
      expect(await gallery.means(modelId, [ada])).toHaveLength(1);
      expect(await statistics.totals()).toMatchObject({ faceIdentities: 2 });
    });
    expect(await store.maintenance.contradictions()).toEqual([]);
  };

  test('has happened for every reader with the first', async () => {
    let steps = 0;
    const database = afterEachStep(() => expectMerged().then(() => steps++));
    await merge(crowd, ada, database);
    expect(steps).toBe(3);
    expect((await home.events()).map(({ event }) => event)).toEqual(['identity.merged']);
    expect(await findings()).toEqual([]);
    await expect(home.identity('Crowd')).resolves.toBeGreaterThan(ada);
  });

  test('settles the conflicts of each rejection once', async () => {
    for (const id of faces) await home.reject(id, ada);
    await store.query(
      `UPDATE detections SET review_status = 'pending', decided_by = 'automatic'
       WHERE id = any($1::bigint[])`,
      [faces],
    );
    const [settled, pages]: [number[], number[]] = [[], []];
    const watched = alteringTransactions(store.database, ({ merges }) => {
      const conflicts = merges.conflicts.bind(merges);
      merges.conflicts = async (merging, page) => {
        pages.push(page.after);
        const found = await conflicts(merging, page);
        settled.push(...found.ids);
        return found;
      };
    });
    await merge(crowd, ada, watched);
    expect(settled).toEqual(faces.toSorted((a, b) => a - b));
    // Each page goes on after the previous one.
    expect(pages).toEqual([0, settled[499], settled[999]]);
    expect(await countOf(ada)).toBe(1);
    expect(await findings()).toEqual([]);
  });

  test.each(['best_match', 'average'])(
    'finds each person once at any time, by the strategy %s',
    async (strategy) => {
      await store.query(
        `INSERT INTO environment_settings (environment_id, key, value)
         VALUES ($1, 'face.match_strategy', to_jsonb($2::text))`,
        [home.scope.environmentId, strategy],
      );
      fixture.scenes.set('who', { faces: [faceAt(10)] });
      // The same process goes on, so its caches may be older than the merge.
      const deps = fixture.process();
      const suggested = async () => {
        const request = { scope: home.scope, image: photo('who'), topN: 2 };
        const { faces: found } = await identifyFaces(deps, request);
        return found[0]!.suggestions.map(({ identityId }) => identityId);
      };
      expect(await suggested()).toEqual([crowd, ada]);
      let steps = 0;
      const database = afterEachStep(async () => {
        expect(await suggested()).toEqual([ada, bob]);
        // The index is behind during the first two steps, and up to date afterwards.
        if (steps++ === 1) await fixture.catchUp();
        expect(await suggested()).toEqual([ada, bob]);
      });
      await merge(crowd, ada, database);
      expect(await suggested()).toEqual([ada, bob]);
      await fixture.catchUp();
      expect(await suggested()).toEqual([ada, bob]);
    },
  );

  test.each([1, 2])('is finished by other processes after a crash in step %i', async (steps) => {
    await begin(crowd, ada, steps);
    expect(await findings()).toEqual([]);
    await Promise.all([
      finishDeletions(store, { idleSeconds: 0 }),
      finishDeletions(store, { idleSeconds: 0 }),
    ]);
    expect(await finishDeletions(store, { idleSeconds: 0 })).toBe(0);
    await expectMerged();
    expect(await findings()).toEqual([]);
    expect((await home.events()).map(({ event }) => event)).toEqual(['identity.merged']);
  });

  test('goes on after its caller has disconnected', async () => {
    const caller = new AbortController();
    const database = afterEachStep(() => {
      caller.abort();
      return Promise.resolve();
    });
    const request = { scope: home.scope, id: crowd, into: ada };
    await mergeIdentity({ database }, request, { signal: caller.signal });
    expect(await finishDeletions(store, { idleSeconds: 0 })).toBe(0);
    await expectMerged();
  });

  test('lets others write about faces that have not moved', async () => {
    await begin(crowd, ada);
    const [again, moved, gone] = faces.slice(-3) as [number, number, number];
    await setIdentityCover(store, { scope: home.scope, id: ada, detectionId: moved });
    await home.events();

    // To all readers this face already belongs to Ada, so nothing changes.
    expect(await label(again, ada)).toMatchObject({ reference: { identityId: ada } });
    expect(await home.events()).toEqual([]);
    await label(moved, bob);
    expect((await home.events()).map(({ event, data }) => ({ event, ...data }))).toMatchObject([
      { event: 'detection.labeled', detection_id: moved, identity_id: bob },
      { identity_id: ada, action: 'embedding_removed' },
      { identity_id: bob, action: 'embedding_added' },
      { identity_id: ada, action: 'thumbnail_updated', cover_detection_id: null },
    ]);
    await deleteDetections({ ...store, media: NO_MEDIA }, { scope: home.scope, ids: [gone] });
    expect((await home.events()).map(({ event, data }) => ({ event, ...data }))).toMatchObject([
      { event: 'detection.deleted', detection_ids: [gone] },
      { identity_id: ada, action: 'embedding_removed' },
    ]);
    expect(await findings()).toEqual([]);
    await finishDeletions(store, { idleSeconds: 0 });
    expect(await countOf(ada)).toBe(DETECTIONS - 1);
    expect(await countOf(bob)).toBe(2);
    expect(await findings()).toEqual([]);
  });

  test('gives a face that has not moved references of the target', async () => {
    const face = faces.at(-1)!;
    await store.database.withEntities({ ...home.scope, locks: [] }, async (tx) =>
      tx.references.revoke(await tx.references.ofDetections([face])),
    );
    await begin(crowd, ada);
    expect(await label(face, ada)).toMatchObject({ reference: { identityId: ada } });
    expect(await findings()).toEqual([]);
    await finishDeletions(store, { idleSeconds: 0 });
    await expectMerged();
  });

  test('lets the photo of a face that has not moved come again, and knows new ones', async () => {
    await begin(crowd, ada);
    await home.events();
    const guest = visitor(fixture.process(), home);
    const known = `crowd ${home.scope.environmentId} ${DETECTIONS}`;
    for (const text of [known, 'new']) {
      fixture.scenes.set(text, { faces: [faceAt(10, { bbox: { x: 0, y: 0, w: 1, h: 1 } })] });
    }
    const again = await guest.detect(known);
    expect(again.reused).toBe(true);
    expect(again.faces).toMatchObject([
      { created: false, detection: { identityId: ada, label: 'Ada' }, enrolled: true },
    ]);
    expect(await home.events()).toEqual([]);
    const fresh = await guest.detect('new');
    expect(fresh.faces).toMatchObject([{ created: true, detection: { identityId: ada } }]);
    expect(await findings()).toEqual([]);
    const { faces: replaced } = await guest.detect(known, { replace: true });
    expect(replaced).toMatchObject([{ created: true, detection: { identityId: ada } }]);
    expect(await findings()).toEqual([]);
    await finishDeletions(store, { idleSeconds: 0 });
    expect(await countOf(ada)).toBe(DETECTIONS + 2);
    expect(await findings()).toEqual([]);
  });

  test('publishes one event for a face that a concurrent run leaves unchanged', async () => {
    let begun: Promise<void> | null = null;
    const racing = alteringTransactions(store.database, ({ detections }) => {
      // The detection is inserted after the run has decided which detections stay.
      const insert = detections.insert.bind(detections);
      detections.insert = async (...rows) => {
        await (begun ??= begin(crowd, ada));
        return insert(...rows);
      };
    });
    const known = `crowd ${home.scope.environmentId} ${DETECTIONS}`;
    const guest = visitor(fixture.process({ database: racing }), home);
    fixture.scenes.set(known, {
      faces: [
        faceAt(10, { bbox: { x: 0, y: 0, w: 1, h: 1 } }),
        faceAt(180, { bbox: { x: 5, y: 5, w: 2, h: 2 } }),
      ],
    });
    const { faces: seen } = await guest.detect(known);
    expect(begun).not.toBeNull();
    expect(seen).toMatchObject([{ created: false, enrolled: true }, { created: true }]);
    const events = (await home.events()).map(({ event }) => event);
    expect(events.sort()).toEqual(['detection.created', 'identity.merged']);
  });

  test('keeps rejections and suggestions of both as those of one', async () => {
    const { ids } = await home.photo([{}, {}]);
    const [stranger, other] = [ids[0]!, ids[1]!];
    await begin(crowd, ada);
    await home.reject(stranger, crowd);
    await home.reject(stranger, bob);
    await home.reject(stranger, ada);
    const candidates = [{ identityId: crowd, similarity: 0.7 }];
    await store.database.withEntities({ ...home.scope, locks: [] }, (tx) =>
      tx.suggestions.replace(
        modelId,
        [stranger, other].map((detectionId) => ({ detectionId, candidates })),
      ),
    );
    const check = () =>
      read(async ({ gallery }) => {
        const rejected = await gallery.rejections(ids);
        expect(rejected).toHaveLength(2);
        expect(rejected.map(({ identityId }) => identityId)).toEqual(
          expect.arrayContaining([ada, bob]),
        );
        expect(await gallery.suggestions(modelId, ids)).toEqual([
          { detectionId: other, identityId: ada, label: 'Ada', similarity: 0.7 },
        ]);
      });
    await check();
    await finishDeletions(store, { idleSeconds: 0 });
    await check();
    await label(stranger, ada);
    const [left] = await read(({ gallery }) => gallery.rejections(ids));
    expect(left).toEqual({ detectionId: stranger, identityId: bob });
  });
});

describe('merges and deletions at the same time', () => {
  const outcomes = async (...calls: readonly Promise<unknown>[]) =>
    (await Promise.allSettled(calls)).map(({ status }) => status).sort();

  const ONE = ['fulfilled', 'rejected'];

  test('of two in both directions one happens', async () => {
    expect(await outcomes(merge(crowd, ada), merge(ada, crowd))).toEqual(ONE);
    const [left] = (await labels()).filter((text) => text !== 'Bob');
    expect(await countOf(left === 'Ada' ? ada : crowd)).toBe(DETECTIONS + 1);
    expect(await findings()).toEqual([]);
  });

  test('of two into different identities one happens', async () => {
    expect(await outcomes(merge(crowd, ada), merge(crowd, bob))).toEqual(ONE);
    expect([await countOf(ada), await countOf(bob)].sort((a, b) => a! - b!)).toEqual([
      1,
      DETECTIONS + 1,
    ]);
    expect(await findings()).toEqual([]);
  });

  test('a target that merges itself takes along what merges into it', async () => {
    await begin(crowd, ada);
    await merge(ada, bob);
    expect(await labels()).toEqual(['Bob']);
    expect(await countOf(bob)).toBe(DETECTIONS + 2);
    expect(await findings()).toEqual([]);
  });

  test('chains of merges end, in whatever order they begin', async () => {
    const chain = await outcomes(merge(crowd, ada), merge(ada, bob));
    expect(chain[0]).toBe('fulfilled');
    const counts = [await countOf(crowd), await countOf(ada), await countOf(bob)];
    expect(counts.reduce((sum, count) => sum! + (count ?? 0), 0)).toBe(DETECTIONS + 2);
    expect(await findings()).toEqual([]);
  });

  test('a target that is deleted takes along what merges into it', async () => {
    await begin(crowd, ada);
    await deleteIdentity({ ...store, media: NO_MEDIA }, { scope: home.scope, id: ada });
    expect(await labels()).toEqual(['Bob']);
    expect(await read(({ detections }) => detections.byIds(faces))).toEqual([]);
    expect(await findings()).toEqual([]);
  });

  test('a source is merged or deleted', async () => {
    expect(await outcomes(merge(crowd, ada), remove(crowd))).toEqual(ONE);
    expect([1, DETECTIONS + 1]).toContain(await countOf(ada));
    expect(await labels()).toEqual(['Ada', 'Bob']);
    expect(await findings()).toEqual([]);
  });

  test('a target is deleted before or after', async () => {
    const results = await outcomes(merge(crowd, ada), remove(ada));
    expect(results).toContain('fulfilled');
    expect([null, DETECTIONS]).toContain(await countOf(crowd));
    expect(await countOf(ada)).toBeNull();
    expect(await findings()).toEqual([]);
  });
});

/** Removes no files, because the rows of a crowd have none. */
const NO_MEDIA = { remove: () => Promise.resolve() };
