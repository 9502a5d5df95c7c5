import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Transaction } from '@sightline/core/database/database';
import { OBJECT_MODEL } from '@sightline/core/models/testing/sample-models';
import type { ReferenceLink } from '@sightline/core/references/reference';
import type { VectorChange } from '@sightline/core/vectors/change-log';
import { FIRST_POINT, type PlacedPoint } from '@sightline/core/vectors/index-source';
import type { VectorKind, VectorSpace } from '@sightline/core/vectors/vector-index';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;
let modelId: number;
let ada: number;
let faces: readonly number[];
let links: readonly ReferenceLink[];

beforeAll(async () => {
  store = await openStoreFixture();
  modelId = store.faceModelId;
});

beforeEach(async () => {
  home = await store.environment();
  ada = await home.identity('Ada');
  const known = (degrees: number) => ({
    identityId: ada,
    reviewStatus: 'confirmed' as const,
    embedding: { modelId, vector: direction(degrees) },
    enrolledBy: [modelId],
  });
  const stranger = { embedding: { modelId, vector: direction(90) } };
  faces = (await home.photo([known(0), known(0), stranger])).ids;
  links = await store.database.withScope(home.scope, ({ references }) =>
    references.ofDetections(faces),
  );
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

function write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return store.database.withEntities({ ...home.scope, locks: [] }, work);
}

const space = (kind: VectorKind): VectorSpace => ({
  ...home.scope,
  modelId,
  kind,
  dimension: 2,
});

/** Returns the changes in this test's environment. */
async function changes(): Promise<readonly VectorChange[]> {
  const all = await store.changeLog.changes(100_000);
  return all.filter((change) => change.space.environmentId === home.scope.environmentId);
}

async function changed(kind: VectorKind): Promise<number[]> {
  const ids = (await changes())
    .filter((change) => change.space.kind === kind)
    .map(({ entityId }) => entityId);
  return [...new Set(ids)].sort((a, b) => a - b);
}

const acknowledgeAll = async (): Promise<number> =>
  store.changeLog.acknowledge(await store.changeLog.changes(100_000));

describe('changes', () => {
  test('name everything that is new, in the order of the ids, with its space', async () => {
    expect(await changed('faces')).toEqual([...faces]);
    expect(await changed('references')).toEqual(links.map(({ id }) => id));
    expect(await changed('means')).toEqual([ada]);
    const all = await changes();
    expect(all[0]!.space).toEqual(space(all[0]!.space.kind));
    const ids = all.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => a - b));
  });

  test('are read oldest first, and acknowledged one by one', async () => {
    await acknowledgeAll();
    await store.changeLog.note(space('faces'), [1, 2, 3]);
    await store.changeLog.note(space('faces'), []);
    const first = await store.changeLog.changes(2);
    expect(first.map(({ entityId }) => entityId)).toEqual([1, 2]);
    expect(await store.changeLog.backlog()).toBe(3);
    await store.changeLog.acknowledge([]);
    await store.changeLog.acknowledge(first);
    expect((await store.changeLog.changes(2)).map(({ entityId }) => entityId)).toEqual([3]);
    expect(await store.changeLog.changes(0)).toEqual([]);
    expect(await store.changeLog.backlog()).toBe(1);
    await acknowledgeAll();
    expect(await store.changeLog.backlog()).toBe(0);
  });

  test('that are noted while others are acknowledged stay', async () => {
    const read = await store.changeLog.changes(100_000);
    await write((tx) => tx.references.revoke(links));
    await store.changeLog.acknowledge(read);
    expect(await changed('references')).toEqual(links.map(({ id }) => id));
    expect(await changed('means')).toEqual([ada]);
    expect(await changed('faces')).toEqual([]);
  });

  test('name a face that gets another identity, and one that is deleted', async () => {
    await acknowledgeAll();
    const stranger = (await home.detection(faces[2]!))!;
    const decision = {
      identityId: ada,
      similarity: null,
      reviewStatus: 'pending',
      decidedBy: 'human',
    } as const;
    await write((tx) => tx.detections.decide([{ detection: stranger, decision }]));
    expect(await changed('faces')).toEqual([stranger.id]);
    await acknowledgeAll();
    await write((tx) => tx.detections.delete([stranger]));
    expect(await changed('faces')).toEqual([stranger.id]);
    expect(await store.source.points(space('faces'), [stranger.id])).toEqual([]);
  });
});

describe('points', () => {
  const point = (id: number, identityId: number | null, degrees: number) => ({
    id,
    identityId,
    vector: direction(degrees),
    fingerprint: expect.any(Number),
  });

  test('have the current values of the entities', async () => {
    const [first, second, stranger] = faces;
    expect(await store.source.points(space('faces'), [stranger!, 999_999, first!])).toEqual([
      point(first!, ada, 0),
      point(stranger!, null, 90),
    ]);
    expect(
      await store.source.points(
        space('references'),
        links.map(({ id }) => id),
      ),
    ).toEqual(links.map(({ id }) => point(id, ada, 0)));
    expect(await store.source.points(space('means'), [ada, second!])).toEqual(
      expect.arrayContaining([point(ada, ada, 0)]),
    );
    expect(await store.source.points(space('faces'), [])).toEqual([]);
    const elsewhere = { ...space('faces'), modelId: store.retiredFaceModelId };
    expect(await store.source.points(elsewhere, [first!])).toEqual([]);
    const other = (await store.environment()).scope;
    expect(await store.source.points({ ...space('faces'), ...other }, [first!])).toEqual([]);
  });

  test.each(['faces', 'references', 'means'] as const)(
    'of %s are listed in pages',
    async (kind) => {
      const all = await store.source.list(space(kind), { after: 0, limit: 100 });
      expect(all).toHaveLength({ faces: 3, references: 2, means: 1 }[kind]);
      const paged = [];
      for (let after = 0; ;) {
        const page = await store.source.list(space(kind), { after, limit: 1 });
        if (page.length === 0) break;
        paged.push(...page);
        after = page[0]!.id;
      }
      expect(paged).toEqual(all);
      const points = await store.source.points(
        space(kind),
        all.map(({ id }) => id),
      );
      expect(points).toMatchObject(all);
    },
  );

  test.each(['faces', 'references', 'means'] as const)(
    'of %s are scanned in pages, over all environments and models',
    async (kind) => {
      const [first] = faces;
      const other = await store.environment();
      await other.photo([{ embedding: { modelId, vector: direction(30) } }]);
      await write(async (tx) => {
        tx.require({ entity: 'detection', id: first! });
        await tx.detections.addEmbeddings(store.retiredFaceModelId, [
          { detectionId: first!, vector: direction(20) },
        ]);
      });
      const all = await scanAll(kind, 10_000);
      expect(await scanAll(kind, 1)).toEqual(all);
      for (const each of spacesOf(all)) {
        const ofSpace = all.filter(({ space: own }) => isDeepStrictEqual(own, each));
        const ids = ofSpace.map(({ point: { id } }) => id);
        expect(ofSpace.map((placed) => placed.point)).toEqual(await store.source.points(each, ids));
        const listed = await store.source.list(each, { after: 0, limit: 10_000 });
        expect(listed.map(({ id }) => id)).toEqual(ids);
      }
      const ours = spacesOf(all).filter((one) => one.environmentId === home.scope.environmentId);
      const modelIds = kind === 'faces' ? [modelId, store.retiredFaceModelId] : [modelId];
      expect(ours.map((one) => one.modelId)).toEqual(modelIds.sort((a, b) => a - b));
    },
  );

  async function scanAll(kind: VectorKind, limit: number): Promise<readonly PlacedPoint[]> {
    const all: PlacedPoint[] = [];
    for (let after = FIRST_POINT; ;) {
      const page = await store.source.scan(kind, { after, limit });
      if (page.length === 0) return all;
      all.push(...page);
      const last = all.at(-1)!;
      after = { ...last.space, id: last.point.id };
    }
  }

  function spacesOf(points: readonly PlacedPoint[]): readonly VectorSpace[] {
    const byKey = new Map(points.map(({ space: one }) => [JSON.stringify(one), one]));
    return [...byKey.values()].sort(
      (a, b) => a.environmentId - b.environmentId || a.modelId - b.modelId,
    );
  }

  test('have a fingerprint of their vector', async () => {
    const listed = async (kind: VectorKind) =>
      (await store.source.list(space(kind), { after: 0, limit: 9 })).map(
        ({ fingerprint }) => fingerprint,
      );
    const [zero, same, ninety] = await listed('faces');
    expect(same).toBe(zero);
    expect(ninety).not.toBe(zero);
    for (const fingerprint of [zero, ninety]) expect(fingerprint).toBeLessThan(2 ** 32);
    expect(await listed('references')).toEqual([zero, zero]);
    const [mean] = await listed('means');
    await home.photo([{ embedding: { modelId, vector: direction(40) } }]);
    expect(await listed('means')).toEqual([mean]);
    const enrolled = {
      identityId: ada,
      enrolledBy: [modelId],
      embedding: { modelId, vector: direction(40) },
    };
    const { ids } = await home.photo([enrolled]);
    const [moved] = await listed('means');
    expect(moved).not.toBe(mean);
    await write((tx) => tx.references.ofDetections(ids).then((own) => tx.references.revoke(own)));
    expect(await listed('means')).toEqual([mean]);
  });

  test('references that cancel each other out give no mean', async () => {
    const { ids } = await home.photo([
      {
        identityId: ada,
        reviewStatus: 'confirmed',
        embedding: { modelId, vector: direction(180) },
        enrolledBy: [modelId],
      },
    ]);
    await write((tx) => tx.references.revoke([links[1]!]));
    expect(await store.source.points(space('means'), [ada])).toEqual([]);
    expect(await store.source.list(space('means'), { after: 0, limit: 9 })).toEqual([]);
    expect(ids).toHaveLength(1);
  });
});

test('possible spaces are those of every environment and model with embeddings', async () => {
  const { environmentId } = (await store.environment()).scope;
  const [objects] = await store.models.register([OBJECT_MODEL]);
  const all = await store.source.possibleSpaces();
  for (const id of [modelId, store.retiredFaceModelId]) {
    for (const kind of ['faces', 'references', 'means'] as const) {
      const expected = { ...space(kind), environmentId, modelId: id };
      expect(all.filter((one) => isDeepStrictEqual(one, expected))).toHaveLength(1);
    }
  }
  expect(all.filter((one) => one.modelId === objects!.id)).toEqual([]);
});
