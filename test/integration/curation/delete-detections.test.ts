import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { deleteDetections } from '@sightline/core/curation/delete-detections';
import { deleteSource } from '@sightline/core/curation/delete-source';
import { checkConsistency } from '@sightline/core/maintenance/check-consistency';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;
let modelId: number;

beforeAll(async () => {
  store = await openStoreFixture();
  modelId = store.faceModelId;
});

beforeEach(async () => {
  home = await store.environment();
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const embedding = () => ({ modelId, vector: direction(10) });

function findings() {
  return checkConsistency(store, { orphanAgeMs: 0 });
}

/** Creates a photo with Ann's face, which is enrolled and her cover, and the face of a stranger. */
async function photoOfAnn() {
  const ann = await home.identity('Ann');
  const photo = await home.photo(
    [
      { identityId: ann, embedding: embedding(), enrolledBy: [modelId] },
      { embedding: embedding() },
    ],
    'photo-1',
  );
  const [id, stranger] = photo.ids as [number, number];
  await store.database.withEntities(
    { ...home.scope, locks: [{ entity: 'identity', id: ann, mode: 'exclusive' }] },
    (tx) => tx.identities.setCover(ann, id),
  );
  await home.events();
  return { ann, id, stranger, source: photo.source };
}

describe('deleteDetections', () => {
  const remove = (...ids: readonly number[]) => deleteDetections(store, { scope: home.scope, ids });

  test('takes an enrolled face away from its identity, which stays', async () => {
    const { ann, id } = await photoOfAnn();
    expect(await remove(id)).toEqual({ deleted: [id], discardedSources: [] });
    expect(await home.events()).toEqual([
      {
        event: 'detection.deleted',
        data: { detection_ids: [id], external_refs: ['photo-1'] },
      },
      {
        event: 'identity.updated',
        data: {
          identity_id: ann,
          action: 'embedding_removed',
          embedding_id: expect.any(Number),
          detection_id: id,
          external_ref: null,
        },
      },
      {
        event: 'identity.updated',
        data: {
          identity_id: ann,
          action: 'thumbnail_updated',
          cover_detection_id: null,
          external_ref: null,
        },
      },
    ]);
    const [identity, means] = await store.database.withScope(home.scope, async (stores) => [
      await stores.identities.details(ann, modelId),
      await stores.gallery.means(modelId, [ann]),
    ]);
    expect(identity).toMatchObject({ detectionCount: 0, embeddingCount: 0, thumbnail: null });
    expect(means).toEqual([]);
    expect(await findings()).toEqual([]);
  });

  test('discards an image with its last detection, and its files', async () => {
    const { id, stranger, source } = await photoOfAnn();
    expect(await remove(stranger, id, stranger)).toEqual({
      deleted: [id, stranger],
      discardedSources: [source.id],
    });
    expect(await store.files(home.scope)).toEqual([]);
    expect(await findings()).toEqual([]);
  });

  test('ignores detections that do not exist, or are of another environment', async () => {
    const other = await store.environment();
    const { ids } = await other.photo([{}]);
    expect(await remove(2 ** 40, ids[0]!)).toEqual({ deleted: [], discardedSources: [] });
    expect(await other.detection(ids[0]!)).not.toBeNull();
    expect(await home.events()).toEqual([]);
  });

  test('of 1,000 detections of 700 images emits one event', async () => {
    const stored: { readonly id: number; readonly ref: string }[] = [];
    const storeEvery20th = async (first: number) => {
      for (let i = first; i < 700; i += 20) {
        const ref = `photo-${i}`;
        const photo = await home.photo(i < 300 ? [{}, {}] : [{}], ref);
        stored.push(...photo.ids.map((id) => ({ id, ref })));
      }
    };
    await Promise.all(Array.from({ length: 20 }, (_, first) => storeEvery20th(first)));
    stored.sort((one, other) => one.id - other.id);
    const ids = stored.map(({ id }) => id);
    await home.events();
    const { discardedSources } = await remove(...ids);
    expect(discardedSources).toHaveLength(700);
    const [event, ...more] = await home.events();
    expect(more).toEqual([]);
    expect(event?.data).toEqual({
      detection_ids: ids,
      external_refs: stored.map(({ ref }) => ref),
    });
    expect(await store.files(home.scope)).toEqual([]);
  });

  test('and labeling at the same time: one of them comes first', async () => {
    for (let round = 0; round < 10; round++) {
      const { ids } = await home.photo([{ embedding: embedding() }]);
      const [id] = ids as [number];
      const [, labeled] = await Promise.allSettled([
        remove(id),
        actOnFace(store, { scope: home.scope, id, action: 'relabel', target: { label: 'Ann' } }),
      ]);
      expect(await home.detection(id)).toBeNull();
      const events = (await home.events())
        .map(({ event }) => event)
        .filter((event) => event.startsWith('detection'));
      expect(events).toEqual(
        labeled.status === 'fulfilled'
          ? ['detection.labeled', 'detection.deleted']
          : ['detection.deleted'],
      );
    }
    expect(await findings()).toEqual([]);
  });

  test('leaves files that cannot be removed now to the collection of orphans', async () => {
    const { ids } = await home.photo([{}]);
    const media = { remove: () => Promise.reject(new Error('no such disk')) };
    const { deleted } = await deleteDetections(
      { database: store.database, media },
      { scope: home.scope, ids },
    );
    expect(deleted).toEqual(ids);
    expect(await store.files(home.scope)).toHaveLength(2);
    expect(await findings()).toHaveLength(2);
    await store.media.remove(await store.files(home.scope));
  });
});

describe('deleteSource', () => {
  const remove = (id: number) => deleteSource(store, { scope: home.scope, id });

  test('deletes everything that was detected in it', async () => {
    const { source, id, stranger, ann } = await photoOfAnn();
    expect(await remove(source.id)).toEqual({ detectionsDeleted: 2, cropsRemoved: 2 });
    expect((await home.events()).map(({ data }) => data)).toEqual([
      { detection_ids: [id, stranger], external_refs: ['photo-1', 'photo-1'] },
      expect.objectContaining({ identity_id: ann, action: 'embedding_removed' }),
      {
        identity_id: ann,
        action: 'thumbnail_updated',
        cover_detection_id: null,
        external_ref: null,
      },
    ]);
    expect(await store.files(home.scope)).toEqual([]);
    await expect(remove(source.id)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('works without any detection, and emits no event', async () => {
    const { source } = await home.photo([]);
    expect(await remove(source.id)).toEqual({ detectionsDeleted: 0, cropsRemoved: 0 });
    expect(await home.events()).toEqual([]);
    expect(await store.files(home.scope)).toEqual([]);
  });

  test('does not affect another environment', async () => {
    const other = await store.environment();
    const { source } = await other.photo([{}]);
    await expect(remove(source.id)).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.files(other.scope)).toHaveLength(2);
  });

  test('twice at the same time happens once', async () => {
    const { source } = await home.photo([{}, {}]);
    const outcomes = await Promise.allSettled([remove(source.id), remove(source.id)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await home.events()).toHaveLength(1);
  });
});
