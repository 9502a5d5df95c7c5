import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Stores, Transaction } from '@sightline/core/database/database';
import type { ReferenceLink } from '@sightline/core/references/reference';
import type { ReferenceFilter } from '@sightline/core/references/reference-store';
import type { Scope } from '@sightline/core/store/scope';
import fc from 'fast-check';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';
import { storedEmbeddings } from '../../support/fixtures/stored-embeddings.ts';

const { sqrt, abs } = Math;

let store: StoreFixture;
let home: SeededEnvironment;
let scope: Scope;
let ada: number;
let bo: number;

beforeAll(async () => {
  store = await openStoreFixture();
});

beforeEach(async () => {
  home = await store.environment();
  ({ scope } = home);
  ada = await home.identity('Ada');
  bo = await home.identity('Bo');
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

function write<T>(work: (tx: Transaction) => Promise<T>, within = scope): Promise<T> {
  return store.database.withEntities({ ...within, locks: [] }, work);
}

function read<T>(work: (stores: Stores) => Promise<T>): Promise<T> {
  return store.database.withScope(scope, work);
}

/** Stores confirmed faces of an identity, with a vector each. */
async function faces(identityId: number, ...degrees: number[]): Promise<readonly number[]> {
  const { ids } = await home.photo(
    degrees.map((angle) => ({
      identityId,
      reviewStatus: 'confirmed',
      embedding: { modelId: store.faceModelId, vector: direction(angle) },
    })),
  );
  return ids;
}

const enroll = (identityId: number, ...detectionIds: readonly number[]) =>
  write((tx) =>
    tx.references.enroll(
      detectionIds.map((detectionId) => ({
        identityId,
        detectionId,
        modelId: store.faceModelId,
      })),
    ),
  );

const meanOf = async (identityId: number): Promise<Float32Array | null> => {
  const [mean] = await read(({ gallery }) => gallery.means(store.faceModelId, [identityId]));
  return mean?.vector ?? null;
};

/** Computes the mean by its definition, in float64. */
function naiveMean(degrees: readonly number[]): number[] {
  const sum = [0, 0];
  for (const angle of degrees) direction(angle).forEach((value, i) => (sum[i]! += value));
  const length = sqrt(sum[0]! ** 2 + sum[1]! ** 2);
  return sum.map((value) => value / length);
}

function expectNear(vector: Float32Array | null, expected: readonly number[]): void {
  expect(vector).not.toBeNull();
  expect(expected.every((value, i) => abs(value - vector![i]!) < 1e-6)).toBe(true);
}

describe('enrolling', () => {
  test('answers references in the order of the faces, and keeps existing ones', async () => {
    const ids = await faces(ada, 0, 10, 20);
    const [middle] = await enroll(ada, ids[1]!);
    const all = await enroll(ada, ...ids);
    expect(all.map(({ detectionId }) => detectionId)).toEqual(ids);
    expect(all[1]).toEqual(middle);
    expect(await enroll(ada, ...ids)).toEqual(all);
    expect(await enroll(ada)).toEqual([]);
    expect(await read(({ references }) => references.ofDetections([...ids, 999_999]))).toEqual(
      [...all].sort((a, b) => a.id - b.id),
    );
    expect(await read(({ references }) => references.ofDetections([]))).toEqual([]);
    expectNear(await meanOf(ada), naiveMean([0, 10, 20]));
  });

  test('a face twice in one call gives one reference', async () => {
    const [id] = await faces(ada, 30);
    const [first, second] = await enroll(ada, id!, id!);
    expect(second).toEqual(first);
    expectNear(await meanOf(ada), naiveMean([30]));
  });

  test('a face of another identity is refused and changes nothing', async () => {
    const [id, free] = await faces(ada, 30, 60);
    await enroll(ada, id!);
    await expect(enroll(bo, free!, id!)).rejects.toThrow('another identity');
    expect(await read(({ references }) => references.ofDetections([free!]))).toEqual([]);
    expect(await meanOf(bo)).toBeNull();
  });

  test('a face without an embedding of the model is refused', async () => {
    const { ids } = await home.photo([{ identityId: ada, reviewStatus: 'confirmed' }]);
    await expect(enroll(ada, ids[0]!)).rejects.toThrow();
  });

  test('faces of several identities and models keeps a mean of each', async () => {
    const [a, b] = [(await faces(ada, 0))[0]!, (await faces(bo, 90))[0]!];
    const retired = store.retiredFaceModelId;
    await write(async (tx) => {
      await tx.detections.addEmbeddings(retired, [{ detectionId: a, vector: direction(45) }]);
      await tx.references.enroll([
        { identityId: ada, detectionId: a, modelId: retired },
        { identityId: bo, detectionId: b, modelId: store.faceModelId },
        { identityId: ada, detectionId: a, modelId: store.faceModelId },
      ]);
    });
    const means = await read(async ({ gallery }) => [
      ...(await gallery.means(store.faceModelId, [ada, bo])),
      ...(await gallery.means(retired, [ada, bo])),
    ]);
    const byIdentity = means.map(({ identityId, vector }) => [identityId, ...vector]);
    expect(byIdentity).toEqual(
      expect.arrayContaining([
        [ada, ...direction(0)],
        [bo, ...direction(90)],
        [ada, ...direction(45)],
      ]),
    );
    expect(byIdentity).toHaveLength(3);
  });
});

describe('revoking', () => {
  test('removes references from the mean, and the mean with the last one', async () => {
    const ids = await faces(ada, 0, 10, 20);
    const links = await enroll(ada, ...ids);
    await write((tx) => tx.references.revoke([]));
    await write((tx) => tx.references.revoke([links[0]!, links[2]!]));
    expectNear(await meanOf(ada), naiveMean([10]));
    await write((tx) => tx.references.revoke([links[1]!]));
    expect(await meanOf(ada)).toBeNull();
    const rows = await store.query('SELECT FROM identity_means WHERE identity_id = $1', [ada]);
    expect(rows).toEqual([]);
    // The vectors stay, because matching and clusters use them.
    const left = await storedEmbeddings(store, store.faceModelId, ids);
    expect(left).toHaveLength(3);
  });

  test('a removed reference changes nothing', async () => {
    const links = await enroll(ada, ...(await faces(ada, 0, 40)));
    await write((tx) => tx.references.revoke([links[0]!]));
    await write((tx) => tx.references.revoke([links[0]!]));
    expectNear(await meanOf(ada), naiveMean([40]));
  });

  test('does not affect another environment', async () => {
    const links = await enroll(ada, ...(await faces(ada, 0)));
    const other = (await store.environment()).scope;
    await write((tx) => tx.references.revoke(links), other);
    expectNear(await meanOf(ada), naiveMean([0]));
  });
});

test('references that cancel each other out have no mean until one is removed', async () => {
  const links = await enroll(ada, ...(await faces(ada, 0, 180)));
  expect(await meanOf(ada)).toBeNull();
  expect(await store.maintenance.contradictions()).toEqual([]);
  await write((tx) => tx.references.revoke([links[1]!]));
  expectNear(await meanOf(ada), naiveMean([0]));
});

test('the mean is that of the current references, after any changes', async () => {
  const angles = Array.from({ length: 12 }, (_, i) => i * 7);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.uniqueArray(fc.nat({ max: 11 }), { minLength: 1, maxLength: 6 }), {
        minLength: 1,
        maxLength: 6,
      }),
      async (steps) => {
        const identityId = await home.identity(`person ${counter++}`);
        const ids = await faces(identityId, ...angles);
        const enrolled = new Map<number, ReferenceLink>();
        for (const [i, step] of steps.entries()) {
          if (i % 2 === 0) {
            const links = await enroll(identityId, ...step.map((index) => ids[index]!));
            step.forEach((index, j) => enrolled.set(index, links[j]!));
          } else {
            const going = step.flatMap((index) => enrolled.get(index) ?? []);
            await write((tx) => tx.references.revoke(going));
            step.forEach((index) => enrolled.delete(index));
          }
        }
        const mean = await meanOf(identityId);
        if (enrolled.size === 0) expect(mean).toBeNull();
        else expectNear(mean, naiveMean([...enrolled.keys()].map((index) => angles[index]!)));
      },
    ),
    { numRuns: 10 },
  );
  expect(await store.maintenance.contradictions()).toEqual([]);
});
let counter = 0;

describe('the list', () => {
  const list = (filter: ReferenceFilter, before: number | null, limit: number | null) =>
    read(({ references }) => references.list(filter, { before, limit }));

  test('is newest first, also in pages, with the face, the person and the model', async () => {
    const [first] = await enroll(ada, ...(await faces(ada, 0)));
    const more = await enroll(ada, ...(await faces(ada, 10, 20, 30)));
    const [theirs] = await enroll(bo, ...(await faces(bo, 90)));
    const all = await list({}, null, null);
    const ids = all.items.map(({ id }) => id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(new Set(ids)).toEqual(new Set([first!, theirs!, ...more].map(({ id }) => id)));

    const reference = (await read(({ references }) => references.byId(first!.id)))!;
    const face = (await home.detection(first!.detectionId))!;
    expect(reference).toEqual({
      ...first,
      label: 'Ada',
      modelName: 'faces',
      sourceImageId: face.sourceImageId,
      cropKey: face.cropKey,
      decidedBy: face.decidedBy,
      bbox: face.bbox,
      quality: face.quality,
      pose: face.pose,
      turned: face.turned,
      createdAt: expect.any(Date),
    });

    const ofAda = (await list({ identityId: ada }, null, null)).items;
    expect(ofAda).toHaveLength(4);
    const page = await list({ identityId: ada }, null, 3);
    expect(page).toEqual({ items: ofAda.slice(0, 3), hasMore: true });
    const rest = await list({ identityId: ada }, page.items.at(-1)!.id, 3);
    expect(rest).toEqual({ items: ofAda.slice(3), hasMore: false });
    expect((await list({ identityId: ada }, null, 4)).hasMore).toBe(false);
    expect((await list({ modelId: store.retiredFaceModelId }, null, null)).items).toEqual([]);
    expect((await list({ modelId: store.faceModelId }, null, null)).items).toHaveLength(5);
  });

  test('has nothing of another environment', async () => {
    const [link] = await enroll(ada, ...(await faces(ada, 0)));
    const other = (await store.environment()).scope;
    await store.database.withScope(other, async ({ references }) => {
      expect(await references.byId(link!.id)).toBeNull();
      expect(await references.ofDetections([link!.detectionId])).toEqual([]);
      const { items } = await references.list({ identityId: ada }, { before: null, limit: null });
      expect(items).toEqual([]);
    });
  });
});
