import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Stores, Transaction } from '@sightline/core/database/database';
import type { ReferenceLink } from '@sightline/core/references/reference';
import type { Scope } from '@sightline/core/store/scope';
import { createReembed } from '../../support/fixtures/seed-jobs.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;
let scope: Scope;
let other: Scope;
let modelId: number;
let ada: number;
let bo: number;
/** Two references of Ada's, followed by one of Bo's. */
let links: readonly ReferenceLink[];

beforeAll(async () => {
  store = await openStoreFixture();
  modelId = store.faceModelId;
});

beforeEach(async () => {
  home = await store.environment();
  ({ scope } = home);
  other = (await store.environment()).scope;
  ada = await home.identity('Ada');
  bo = await home.identity('Bo');
  const face = (identityId: number, degrees: number) => ({
    identityId,
    reviewStatus: 'confirmed' as const,
    embedding: { modelId, vector: direction(degrees) },
    enrolledBy: [modelId],
  });
  const { ids } = await home.photo([face(ada, 0), face(ada, 60), face(bo, 90)]);
  links = await read(({ references }) => references.ofDetections(ids));
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

function write<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return store.database.withEntities({ ...scope, locks: [] }, work);
}

function read<T>(work: (stores: Stores) => Promise<T>, within = scope): Promise<T> {
  return store.database.withScope(within, work);
}

async function bringToIndex(): Promise<void> {
  await store.changeLog.acknowledge(await store.changeLog.changes(10_000));
}

const tail = async (kind: 'references' | 'means', limit = 100, within = scope) => {
  const points = await read(({ gallery }) => gallery.tail(modelId, kind, limit), within);
  return points.map(({ pointId }) => pointId);
};

describe('the tail', () => {
  test('has what the index does not have yet, ascending, each once', async () => {
    const ids = links.map(({ id }) => id);
    expect(await tail('references')).toEqual([...ids].sort((a, b) => a - b));
    expect(await tail('means')).toEqual([ada, bo].sort((a, b) => a - b));
    expect(await tail('references', 2)).toHaveLength(2);
    const points = await read(({ gallery }) => gallery.tail(modelId, 'references', 100));
    const known = new Map(points.map(({ pointId, identityId }) => [pointId, identityId]));
    for (const { id, identityId } of links) expect(known.get(id)).toBe(identityId);
    expect(await tail('references', 100, other)).toEqual([]);
    expect(
      await read(({ gallery }) => gallery.tail(store.retiredFaceModelId, 'references', 100)),
    ).toEqual([]);

    await bringToIndex();
    expect(await tail('references')).toEqual([]);
    expect(await tail('means')).toEqual([]);
  });

  test('has the mean that a removal changed, and not the reference that it removed', async () => {
    await bringToIndex();
    await write((tx) => tx.references.revoke([links[0]!]));
    expect(await tail('references')).toEqual([]);
    expect(await tail('means')).toEqual([ada]);
    await write((tx) => tx.references.revoke([links[1]!]));
    expect(await tail('means')).toEqual([]);
  });
});

describe('references, means and embeddings', () => {
  test('are those that exist, of this model and environment', async () => {
    await read(async ({ gallery }) => {
      const [first, second, third] = links;
      expect(await gallery.references(modelId, [third!.id, 999_999, first!.id])).toEqual(
        expect.arrayContaining([
          { id: first!.id, identityId: ada, detectionId: first!.detectionId, vector: direction(0) },
          { id: third!.id, identityId: bo, detectionId: third!.detectionId, vector: direction(90) },
        ]),
      );
      const ofAda = await gallery.referencesOf(modelId, [ada, 999_999]);
      expect(ofAda.map(({ id }) => id).sort((a, b) => a - b)).toEqual([first!.id, second!.id]);
      expect(await gallery.means(modelId, [bo, 999_999])).toEqual([
        { identityId: bo, vector: direction(90) },
      ]);
      for (const model of [store.retiredFaceModelId, 999_999]) {
        expect(await gallery.references(model, [first!.id])).toEqual([]);
        expect(await gallery.referencesOf(model, [ada])).toEqual([]);
        expect(await gallery.means(model, [ada])).toEqual([]);
        expect(await gallery.embedded(model, [first!.detectionId])).toEqual([]);
      }
      expect(await gallery.references(modelId, [])).toEqual([]);
      expect(await gallery.referencesOf(modelId, [])).toEqual([]);
      expect(await gallery.means(modelId, [])).toEqual([]);
    });
    await read(async ({ gallery }) => {
      const ids = links.map(({ id }) => id);
      expect(await gallery.references(modelId, ids)).toEqual([]);
      expect(await gallery.referencesOf(modelId, [ada, bo])).toEqual([]);
      expect(await gallery.means(modelId, [ada, bo])).toEqual([]);
      const faces = links.map(({ detectionId }) => detectionId);
      expect(await gallery.embedded(modelId, faces)).toEqual([]);
    }, other);
  });
});

describe('suggestions', () => {
  const suggestions = (...ids: number[]) =>
    read(({ gallery }) => gallery.suggestions(modelId, ids));

  test('replace the stored ones, most similar first', async () => {
    const { ids } = await home.photo([{}, {}]);
    const [face, neighbor] = [ids[0]!, ids[1]!];
    await write((tx) =>
      tx.suggestions.replace(modelId, [
        {
          detectionId: face,
          candidates: [
            { identityId: ada, similarity: 0.3 },
            { identityId: bo, similarity: 0.30000000000000004 },
          ],
        },
        { detectionId: neighbor, candidates: [{ identityId: ada, similarity: -0.5 }] },
      ]),
    );
    expect(await suggestions(face)).toEqual([
      { detectionId: face, identityId: bo, label: 'Bo', similarity: 0.30000000000000004 },
      { detectionId: face, identityId: ada, label: 'Ada', similarity: 0.3 },
    ]);
    await write((tx) =>
      tx.suggestions.replace(modelId, [
        { detectionId: face, candidates: [{ identityId: ada, similarity: 0.9 }] },
      ]),
    );
    expect(await suggestions(face, neighbor)).toHaveLength(2);
    expect(await suggestions(face)).toEqual([
      { detectionId: face, identityId: ada, label: 'Ada', similarity: 0.9 },
    ]);
    await write((tx) => tx.suggestions.replace(modelId, []));
    await write((tx) => tx.suggestions.replace(modelId, [{ detectionId: face, candidates: [] }]));
    expect(await suggestions(face)).toEqual([]);
    expect(await suggestions(neighbor)).toHaveLength(1);
    expect(await suggestions()).toEqual([]);
  });

  test('are of one model, and are deleted with the identity', async () => {
    const { ids } = await home.photo([{}]);
    const gone = await home.identity('Gone');
    const candidates = [
      { identityId: gone, similarity: 0.4 },
      { identityId: 999_999, similarity: 0.4 },
    ];
    const kept = [{ detectionId: ids[0]!, candidates }];
    await write((tx) => tx.suggestions.replace(modelId, kept));
    await write((tx) => tx.suggestions.replace(store.retiredFaceModelId, kept));
    expect(await suggestions(ids[0]!)).toHaveLength(1);
    await write((tx) =>
      tx.suggestions.replace(store.retiredFaceModelId, [{ ...kept[0]!, candidates: [] }]),
    );
    expect(await suggestions(ids[0]!)).toHaveLength(1);
    await write((tx) => tx.identities.delete(gone));
    expect(await suggestions(ids[0]!)).toEqual([]);
  });
});

describe('a gallery that is behind', () => {
  const isBehind = (within = scope, model = modelId) =>
    read(({ gallery }) => gallery.isBehind(model), within);
  const job = (faces: 'enrolled' | 'all') => createReembed(store, home, { modelId, faces });

  test('is one whose enrolled faces are being embedded again', async () => {
    expect(await isBehind()).toBe(false);
    await job('all');
    expect(await isBehind()).toBe(false);
    await job('enrolled');
    expect(await isBehind()).toBe(true);
    expect(await isBehind(scope, store.retiredFaceModelId)).toBe(false);
    expect(await isBehind(other)).toBe(false);
  });
});
