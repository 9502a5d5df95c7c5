import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { deleteIdentity } from '@sightline/core/curation/delete-identity';
import type { LabelTarget } from '@sightline/core/curation/face-task';
import {
  AN_OBJECT,
  direction,
  type SeededEnvironment,
} from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;
let modelId: number;
let retiredModelId: number;

beforeAll(async () => {
  store = await openStoreFixture();
  modelId = store.faceModelId;
  retiredModelId = store.retiredFaceModelId;
});

beforeEach(async () => {
  home = await store.environment();
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const embedding = () => ({ modelId, vector: direction(10) });

async function label(id: number, target: LabelTarget) {
  const request = { scope: home.scope, id, action: 'relabel', target } as const;
  const { reference } = await actOnFace(store, request);
  return { detection: (await home.detection(id))!, enrolled: reference !== null };
}

async function references(detectionId: number) {
  const links = await store.database.withScope(home.scope, (stores) =>
    stores.references.ofDetections([detectionId]),
  );
  return links.map((link) => ({ identityId: link.identityId, modelId: link.modelId }));
}

function rejectedFrom(detectionId: number) {
  return store.database.withScope(home.scope, async ({ gallery }) =>
    (await gallery.rejections([detectionId])).map(({ identityId }) => identityId),
  );
}

async function remember(detectionId: number, ...identityIds: readonly number[]) {
  for (const identityId of identityIds) {
    await store.query(
      'INSERT INTO rejected_pairs (environment_id, detection_id, identity_id) VALUES ($1, $2, $3)',
      [home.scope.environmentId, detectionId, identityId],
    );
  }
}

describe('an unknown face', () => {
  test('becomes a new person, confirmed and enrolled', async () => {
    const { ids } = await home.photo([{ embedding: embedding() }], 'photo-1');
    const { detection, enrolled } = await label(ids[0]!, { label: ' Ann ' });
    expect(enrolled).toBe(true);
    expect(detection).toMatchObject({
      id: ids[0],
      label: 'Ann',
      similarity: null,
      reviewStatus: 'confirmed',
      decidedBy: 'human',
    });
    const identityId = detection.identityId!;
    expect(await references(ids[0]!)).toEqual([{ identityId, modelId }]);
    expect(await home.events()).toEqual([
      {
        event: 'identity.created',
        data: { identity_id: identityId, label: 'Ann', type: 'face', external_ref: null },
      },
      {
        event: 'detection.labeled',
        data: {
          detection_id: ids[0],
          type: 'face',
          identity_id: identityId,
          external_ref: 'photo-1',
        },
      },
      {
        event: 'identity.updated',
        data: {
          identity_id: identityId,
          action: 'embedding_added',
          embedding_id: expect.any(Number),
          detection_id: ids[0],
          external_ref: null,
        },
      },
    ]);
  });

  test.each<[string, (id: number) => LabelTarget]>([
    ['its label', () => ({ label: 'Ann' })],
    ['its id', (identityId) => ({ identityId })],
  ])('gets an existing identity, by %s', async (_, target) => {
    const ann = await home.identity('Ann');
    const { ids } = await home.photo([{ embedding: embedding() }]);
    await home.events();
    const { detection } = await label(ids[0]!, target(ann));
    expect(detection.identityId).toBe(ann);
    expect((await home.events()).map(({ event }) => event)).toEqual([
      'detection.labeled',
      'identity.updated',
    ]);
  });

  test('without a vector of the active model is a reference only for models that know it', async () => {
    const { ids } = await home.photo([
      { embeddingSource: null },
      { embedding: { modelId: retiredModelId, vector: direction(5) } },
    ]);
    for (const id of ids) {
      const { detection, enrolled } = await label(id, { label: 'Ann' });
      expect([detection.reviewStatus, enrolled]).toEqual(['confirmed', false]);
    }
    expect(await references(ids[0]!)).toEqual([]);
    expect(await references(ids[1]!)).toMatchObject([{ modelId: retiredModelId }]);
    expect((await home.events()).map(({ event }) => event)).toEqual([
      'identity.created',
      'detection.labeled',
      'detection.labeled',
      'identity.updated',
    ]);
  });

  test('keeps its suggestions, for when it is open again', async () => {
    const { ids } = await home.photo([{ embedding: embedding() }]);
    const ann = await home.identity('Ann');
    const suggestions = () =>
      store.database.withScope(home.scope, ({ gallery }) => gallery.suggestions(modelId, ids));
    await store.database.withEntities(
      { ...home.scope, locks: [{ entity: 'detection', id: ids[0]! }] },
      (tx) =>
        tx.suggestions.replace(modelId, [
          { detectionId: ids[0]!, candidates: [{ identityId: ann, similarity: 0.4 }] },
        ]),
    );
    expect(await suggestions()).toHaveLength(1);
    await label(ids[0]!, { label: 'Bob' });
    expect(await suggestions()).toHaveLength(1);
  });

  test('is no longer dismissed, and stays rejected from other identities', async () => {
    const [ann, bob] = [await home.identity('Ann'), await home.identity('Bob')];
    const { ids } = await home.photo([{ reviewStatus: 'rejected' }]);
    await remember(ids[0]!, ann, bob);
    await store.query('UPDATE detections SET dismissed_at = now() WHERE id = $1', [ids[0]]);
    const { detection } = await label(ids[0]!, { identityId: ann });
    expect(detection.dismissedAt).toBeNull();
    expect(await rejectedFrom(ids[0]!)).toEqual([bob]);
  });
});

describe('a face of another person', () => {
  test('moves its references of all models, and is no longer the cover', async () => {
    const [ann, bob] = [await home.identity('Ann'), await home.identity('Bob')];
    const { ids } = await home.photo([
      {
        identityId: ann,
        similarity: 0.7,
        embedding: { modelId: retiredModelId, vector: direction(20) },
        enrolledBy: [retiredModelId],
      },
    ]);
    const [id] = ids as [number];
    await store.database.withEntities(
      { ...home.scope, locks: [{ entity: 'identity', id: ann, mode: 'exclusive' }] },
      async (tx) => {
        await tx.detections.addEmbeddings(modelId, [{ detectionId: id, vector: direction(10) }]);
        await tx.identities.setCover(ann, id);
      },
    );
    await home.events();

    const { detection, enrolled } = await label(id, { identityId: bob });
    expect(enrolled).toBe(true);
    expect(detection).toMatchObject({ identityId: bob, label: 'Bob', similarity: null });
    expect(await references(id)).toEqual([
      { identityId: bob, modelId: retiredModelId },
      { identityId: bob, modelId },
    ]);
    const ofAnn = { identity_id: ann };
    const ofBob = { identity_id: bob };
    expect((await home.events()).map(({ data }) => data)).toEqual([
      expect.objectContaining({ ...ofBob, detection_id: id, type: 'face' }),
      expect.objectContaining({ ...ofAnn, action: 'embedding_removed', detection_id: id }),
      expect.objectContaining({ ...ofBob, action: 'embedding_added', detection_id: id }),
      expect.objectContaining({ ...ofBob, action: 'embedding_added', detection_id: id }),
      { ...ofAnn, action: 'thumbnail_updated', cover_detection_id: null, external_ref: null },
    ]);
    const means = await store.database.withScope(home.scope, ({ gallery }) =>
      gallery.means(modelId, [ann, bob]),
    );
    expect(means.map(({ identityId }) => identityId)).toEqual([bob]);
  });
});

describe('the same label again', () => {
  test('a face that was only matched is confirmed and enrolled', async () => {
    const ann = await home.identity('Ann');
    const { ids } = await home.photo([
      { identityId: ann, similarity: 0.6, embedding: embedding() },
    ]);
    await home.events();
    const { detection } = await label(ids[0]!, { label: 'Ann' });
    expect(detection).toMatchObject({
      identityId: ann,
      similarity: 0.6,
      reviewStatus: 'confirmed',
      decidedBy: 'human',
    });
    expect((await home.events()).map(({ data }) => data)).toEqual([
      expect.objectContaining({ identity_id: ann, action: 'embedding_added' }),
    ]);
  });

  test('a confirmed face does not change', async () => {
    const { ids } = await home.photo([{ embedding: embedding() }]);
    const first = await label(ids[0]!, { label: 'Ann' });
    await home.events();
    expect(await label(ids[0]!, { label: 'Ann' })).toEqual(first);
    expect(await home.events()).toEqual([]);
  });
});

describe('an object', () => {
  test('moves to another object identity without a reference, and keeps its class', async () => {
    const bicycle = await home.identity('bicycle', 'object');
    const { ids } = await home.photo([
      { ...AN_OBJECT, identityId: bicycle, reviewStatus: 'confirmed' },
    ]);
    await home.events();
    const { detection, enrolled } = await label(ids[0]!, { label: 'tandem' });
    expect(enrolled).toBe(false);
    expect(detection).toMatchObject({ label: 'tandem', className: 'bicycle', type: 'object' });
    expect(await home.events()).toEqual([
      {
        event: 'identity.created',
        data: {
          identity_id: detection.identityId,
          label: 'tandem',
          type: 'object',
          external_ref: null,
        },
      },
      {
        event: 'detection.labeled',
        data: {
          detection_id: ids[0],
          type: 'object',
          identity_id: detection.identityId,
          external_ref: null,
        },
      },
    ]);
  });

  test('does not become a person, nor a person an object', async () => {
    const [ann, bicycle] = [await home.identity('Ann'), await home.identity('bicycle', 'object')];
    const { ids } = await home.photo([AN_OBJECT, {}]);
    await home.events();
    const mismatch = { code: 'type_mismatch' };
    await expect(label(ids[0]!, { identityId: ann })).rejects.toMatchObject(mismatch);
    await expect(label(ids[1]!, { identityId: bicycle })).rejects.toMatchObject(mismatch);
    expect(await home.events()).toEqual([]);
  });
});

describe('what does not exist', () => {
  test('is a detection or an identity that does not exist, or is of another environment', async () => {
    const other = await store.environment();
    const stranger = await other.identity('Ann');
    const [foreign] = (await other.photo([{}])).ids as [number];
    const [own] = (await home.photo([{}])).ids as [number];
    const missing = { code: 'not_found' };
    await expect(label(2 ** 40, { label: 'Ann' })).rejects.toMatchObject(missing);
    await expect(label(foreign, { label: 'Ann' })).rejects.toMatchObject(missing);
    await expect(label(own, { identityId: stranger })).rejects.toMatchObject(missing);
    await expect(label(own, { identityId: 2 ** 40 })).rejects.toMatchObject(missing);
    expect(await home.events()).toEqual([]);
    expect((await other.detection(foreign))?.identityId).toBeNull();
  });
});

describe('at the same time', () => {
  test('one new label for many faces creates one identity', async () => {
    const { ids } = await home.photo(
      Array.from({ length: 12 }, () => ({ embedding: embedding() })),
    );
    const labeled = await Promise.all(ids.map((id) => label(id, { label: 'Ann' })));
    expect(new Set(labeled.map(({ detection }) => detection.identityId)).size).toBe(1);
    const created = (await home.events()).filter(({ event }) => event === 'identity.created');
    expect(created).toHaveLength(1);
  });

  test('as the identity is deleted, a face is either deleted with it or has another identity', async () => {
    for (let round = 0; round < 10; round++) {
      const ann = await home.identity(`Ann ${round}`);
      const { ids } = await home.photo([
        { identityId: ann, embedding: embedding(), enrolledBy: [modelId] },
      ]);
      const [id] = ids as [number];
      const [relabeled] = await Promise.allSettled([
        label(id, { label: `Bob ${round}` }),
        deleteIdentity(store, { scope: home.scope, id: ann }),
      ]);
      const detection = await home.detection(id);
      if (relabeled.status === 'fulfilled') expect(detection?.label).toBe(`Bob ${round}`);
      else expect([detection, relabeled.reason.code]).toEqual([null, 'not_found']);
    }
    expect(await store.maintenance.contradictions()).toEqual([]);
  });

  test('of many concurrent labels of a few faces, the last one holds', async () => {
    const { ids } = await home.photo(Array.from({ length: 5 }, () => ({ embedding: embedding() })));
    await home.events();
    for (let round = 0; round < 6; round++) {
      const names = Array.from({ length: 12 }, (_, i) => `Person ${(5 * round + i) % 7}`);
      await Promise.all(names.map((name, i) => label(ids[i % 5]!, { label: name })));
    }
    const events = await home.events();
    for (const id of ids) {
      const last = events
        .filter(({ event }) => event === 'detection.labeled')
        .map(({ data }) => data as { detection_id: number; identity_id: number })
        .findLast((data) => data.detection_id === id);
      const detection = await home.detection(id);
      expect(detection?.identityId).toBe(last?.identity_id);
      expect(await references(id)).toEqual([{ identityId: detection?.identityId, modelId }]);
    }
    expect(await store.maintenance.contradictions()).toEqual([]);
  });
});
