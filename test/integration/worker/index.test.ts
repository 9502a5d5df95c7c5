import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { deleteDetections } from '@sightline/core/curation/delete-detections';
import { checkConsistency } from '@sightline/core/maintenance/check-consistency';
import { compareIndex } from '@sightline/core/vectors/compare-index';
import { indexChanges, type IndexDeps } from '@sightline/core/vectors/index-changes';
import type { IndexSource } from '@sightline/core/vectors/index-source';
import type { VectorKind, VectorSpace } from '@sightline/core/vectors/vector-index';
import { EmbeddedVectorIndex } from '@sightline/vectors/embedded/embedded-vector-index';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let resources: AsyncDisposableStack;
let store: StoreFixture;
let home: SeededEnvironment;
let index: EmbeddedVectorIndex;
let deps: IndexDeps;

beforeEach(async () => {
  resources = new AsyncDisposableStack();
  store = resources.use(await openStoreFixture());
  home = await store.environment();
  index = resources.use(new EmbeddedVectorIndex());
  await (await index.begin()).publish();
  deps = { source: store.source, changeLog: store.changeLog, index };
});

afterEach(async () => {
  await resources.disposeAsync();
});

function space(kind: VectorKind): VectorSpace {
  const { environmentId } = home.scope;
  return { environmentId, modelId: store.faceModelId, kind, dimension: direction(0).length };
}

/** Returns the points of a kind in the index, each with its id and identity. */
async function indexed(kind: VectorKind) {
  const entries = await index.list(space(kind), { after: 0, limit: 1000 });
  return entries.map(({ id, identityId }) => [id, identityId]);
}

async function catchUp(): Promise<void> {
  while (await indexChanges(deps));
}

const faceOf = (identityId: number | null, degrees: number) => ({
  identityId,
  embedding: { modelId: store.faceModelId, vector: direction(degrees) },
  ...(identityId !== null && { enrolledBy: [store.faceModelId] }),
});

async function referenceOf(detectionId: number) {
  const [reference] = await store.database.withScope(home.scope, ({ references }) =>
    references.ofDetections([detectionId]),
  );
  return reference!;
}

function findings() {
  return checkConsistency({ ...store, vectors: deps });
}

describe('indexChanges', () => {
  test('writes faces, references and means to the index, with their current values', async () => {
    const ann = await home.identity('Ann');
    const { ids } = await home.photo([faceOf(ann, 10), faceOf(null, 50)]);
    const [face, stranger] = ids as [number, number];
    await catchUp();
    const reference = await referenceOf(face);
    expect(await indexed('faces')).toEqual([
      [face, ann],
      [stranger, null],
    ]);
    expect(await indexed('references')).toEqual([[reference.id, ann]]);
    expect(await indexed('means')).toEqual([[ann, ann]]);
    expect(await store.changeLog.backlog()).toBe(0);
    expect(await findings()).toEqual([]);

    const [hits] = await index.searchIdentities(space('references'), {
      vectors: [direction(10)],
      limit: 5,
    });
    expect(hits).toMatchObject([{ identityId: ann, pointId: reference.id }]);
  });

  test('applies changes of identity and removals', async () => {
    const ann = await home.identity('Ann');
    const { ids } = await home.photo([faceOf(ann, 10), faceOf(ann, 20)]);
    const [kept, gone] = ids as [number, number];
    await catchUp();
    const { row } = await actOnFace(store, {
      scope: home.scope,
      id: kept,
      action: 'relabel',
      target: { label: 'Bob' },
    });
    await deleteDetections(store, { scope: home.scope, ids: [gone] });
    await catchUp();
    const bob = row.identityId!;
    expect(await indexed('faces')).toEqual([[kept, bob]]);
    expect(await indexed('references')).toEqual([[(await referenceOf(kept)).id, bob]]);
    expect(await indexed('means')).toEqual([[bob, bob]]);
    expect(await findings()).toEqual([]);
  });

  test('updates the mean when references are added and removed', async () => {
    const ann = await home.identity('Ann');
    const { ids } = await home.photo([faceOf(ann, 0), faceOf(ann, 60)]);
    await catchUp();
    const cosineOfMean = async (degrees: number) => {
      const query = { vectors: [direction(degrees)], limit: 1 };
      const [hits] = await index.searchIdentities(space('means'), query);
      return hits![0]!.cosine;
    };
    expect(await cosineOfMean(30)).toBeCloseTo(1, 5);
    await deleteDetections(store, { scope: home.scope, ids: [ids[1]!] });
    await catchUp();
    expect(await cosineOfMean(0)).toBeCloseTo(1, 5);
  });

  test('acknowledges exactly the changes that it has read', async () => {
    await home.photo([faceOf(null, 10)]);
    const { source } = store;
    const during: IndexSource = {
      possibleSpaces: (...call) => source.possibleSpaces(...call),
      points: async (...call) => {
        const points = await source.points(...call);
        await home.photo([faceOf(null, 20)]);
        return points;
      },
      scan: (...call) => source.scan(...call),
      list: (...call) => source.list(...call),
    };
    await indexChanges({ ...deps, source: during });
    expect(await indexed('faces')).toHaveLength(1);
    expect(await store.changeLog.backlog()).toBe(1);
    await catchUp();
    expect(await indexed('faces')).toHaveLength(2);
  });

  test('keeps the changes while the index is down', async () => {
    await home.photo([faceOf(null, 10)]);
    await index[Symbol.asyncDispose]();
    await expect(indexChanges(deps)).rejects.toMatchObject({ code: 'vectors_unavailable' });
    expect(await store.changeLog.backlog()).toBe(1);
  });

  test('keeps up with constant writes', async () => {
    const ann = await home.identity('Ann');
    const bob = await home.identity('Bob');
    let isWriting = true;
    const write = async (seed: number) => {
      for (let i = 0; i < 15; i++) {
        const { ids } = await home.photo([faceOf(ann, seed + i), faceOf(null, seed - i)]);
        const target = { identityId: i % 2 === 0 ? bob : ann };
        await actOnFace(store, { scope: home.scope, id: ids[i % 2]!, action: 'relabel', target });
        if (i % 3 === 0) await deleteDetections(store, { scope: home.scope, ids: [ids[0]!] });
      }
    };
    const keepUp = async () => {
      while (isWriting) await indexChanges(deps);
    };
    const writing = Promise.all([write(0), write(40), write(80)]).finally(
      () => (isWriting = false),
    );
    await Promise.all([writing, keepUp()]);
    await catchUp();
    expect(await findings()).toEqual([]);
    expect(await compareIndex(deps, catchUp)).toEqual({ missing: 0, extra: 0, stale: 0 });
  });
});

describe('compareIndex', () => {
  test('notes differences, which the next pass repairs', async () => {
    const ann = await home.identity('Ann');
    const { ids } = await home.photo([faceOf(ann, 10), faceOf(null, 50), faceOf(null, 70)]);
    await catchUp();
    const [face, missing, stale] = ids as [number, number, number];
    const [point] = await store.source.points(space('faces'), [stale]);
    await index.remove(space('faces'), [missing]);
    await index.upsert(space('faces'), [{ ...point!, identityId: ann }]);
    await index.upsert(space('faces'), [{ ...point!, id: 2 ** 40 }]);
    await index.remove(space('means'), [ann]);
    expect(await findings()).toHaveLength(4);

    expect(await compareIndex(deps, catchUp)).toEqual({ missing: 2, extra: 1, stale: 1 });
    expect(await store.changeLog.backlog()).toBeGreaterThan(0);
    await catchUp();
    expect(await indexed('faces')).toEqual([
      [face, ann],
      [missing, null],
      [stale, null],
    ]);
    expect(await compareIndex(deps, catchUp)).toEqual({ missing: 0, extra: 0, stale: 0 });
    expect(await findings()).toEqual([]);
  });

  test('finds points of a space whose last row was deleted', async () => {
    const stray = { id: 2 ** 40, identityId: null, fingerprint: 0, vector: direction(70) };
    const retired = { ...space('references'), modelId: store.retiredFaceModelId };
    const { environmentId } = (await store.environment()).scope;
    const spaces = [space('faces'), retired, { ...space('means'), environmentId }];
    for (const each of spaces) await index.upsert(each, [stray]);
    expect(await store.source.list(space('faces'), { after: 0, limit: 9 })).toEqual([]);
    expect(await findings()).toHaveLength(3);

    expect(await compareIndex(deps, catchUp)).toEqual({ missing: 0, extra: 3, stale: 0 });
    await catchUp();
    for (const each of spaces) expect(await index.list(each, { after: 0, limit: 9 })).toEqual([]);
    expect(await compareIndex(deps, catchUp)).toEqual({ missing: 0, extra: 0, stale: 0 });
  });

  test('does not report changes that are still pending as drift', async () => {
    await home.photo([faceOf(null, 10)]);
    expect(await compareIndex(deps, catchUp)).toEqual({ missing: 0, extra: 0, stale: 0 });
    expect(await indexed('faces')).toHaveLength(1);
  });
});
