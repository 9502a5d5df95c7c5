import { beforeEach, describe, expect, test } from '@jest/globals';
import { mergeIdentity } from '@sightline/core/curation/merge-identity';
import { setIdentityCover } from '@sightline/core/curation/set-identity-cover';
import type { Stores } from '@sightline/core/database/database';
import {
  aroundRecognition,
  type RecognitionFixture,
} from '../../support/fixtures/recognition-fixture.ts';
import {
  AN_OBJECT,
  direction,
  type SeededEnvironment,
} from '../../support/fixtures/seeded-environment.ts';
import type { StoreFixture } from '../../support/fixtures/store-fixture.ts';

let fixture: RecognitionFixture;
let store: StoreFixture;
let home: SeededEnvironment;
let modelId: number;
let ann: number;
let ada: number;

aroundRecognition((turn) => ({ fixture, home } = turn));

beforeEach(async () => {
  ({ store } = fixture);
  modelId = (await store.models.active()).find(({ task }) => task === 'face')!.id;
  [ann, ada] = [await home.identity('Ann'), await home.identity('Ada')];
  await home.events();
});

const merge = (id: number, into: number) => mergeIdentity(store, { scope: home.scope, id, into });

const read = <T>(work: (stores: Stores) => Promise<T>) =>
  store.database.withScope(home.scope, work);

const byId = (id: number) => read(({ identities }) => identities.byId(id));

const identityIdsOf = async (ids: readonly number[]) =>
  (await read(({ detections }) => detections.byIds(ids))).map(({ identityId }) => identityId);

/** Returns the identities from which a face was rejected, the latest last. */
const rejections = (detectionId: number) =>
  store
    .query<{ id: number }>(
      'SELECT identity_id AS id FROM rejected_pairs WHERE detection_id = $1 ORDER BY sequence',
      [detectionId],
    )
    .then((rows) => rows.map(({ id }) => id));

function enrolled(identityId: number, degrees = 10) {
  const embedding = { modelId, vector: direction(degrees) };
  return { identityId, embedding, enrolledBy: [modelId] };
}

describe('mergeIdentity', () => {
  test('moves everything, and emits only the event of the merge', async () => {
    const ofAnn = await home.photo([enrolled(ann), { identityId: ann }]);
    const ofAda = await home.photo([enrolled(ada, 50)]);
    const { ids: strangers } = await home.photo([{}]);
    await setIdentityCover(store, { scope: home.scope, id: ann, detectionId: ofAnn.ids[0]! });
    await store.query(`UPDATE identities SET external_ref = 'hr/1' WHERE id = $1`, [ann]);
    await home.events();

    expect(await merge(ann, ada)).toEqual({ mergedInto: ada, deleted: ann });
    expect(await home.events()).toEqual([
      {
        event: 'identity.merged',
        data: { identity_id: ann, merged_into: ada, external_ref: 'hr/1' },
      },
    ]);
    expect(await byId(ann)).toBeNull();
    expect(await byId(ada)).toMatchObject({
      label: 'Ada',
      externalRef: 'hr/1',
      coverDetectionId: ofAnn.ids[0],
    });
    expect(await identityIdsOf([...ofAnn.ids, ...ofAda.ids, ...strangers])).toEqual([
      ada,
      ada,
      ada,
      null,
    ]);
    const details = await read(({ identities }) => identities.details(ada, modelId));
    expect(details).toMatchObject({ detectionCount: 3, embeddingCount: 2, pendingReviewCount: 1 });
    const { items } = await read(({ references }) =>
      references.list({ identityId: ada }, { before: null, limit: null }),
    );
    expect(items.map(({ identityId, label }) => [identityId, label])).toEqual([
      [ada, 'Ada'],
      [ada, 'Ada'],
    ]);
    await expect(merge(ann, ada)).rejects.toMatchObject({ code: 'not_found' });
    await home.identity('Ann');
  });

  test('leaves cover and external reference of the target', async () => {
    const { ids } = await home.photo([enrolled(ann), enrolled(ada)]);
    for (const [id, detectionId] of [
      [ann, ids[0]!],
      [ada, ids[1]!],
    ] as const) {
      await setIdentityCover(store, { scope: home.scope, id, detectionId });
      await store.query('UPDATE identities SET external_ref = label WHERE id = $1', [id]);
    }
    await merge(ann, ada);
    expect(await byId(ada)).toMatchObject({ externalRef: 'Ada', coverDetectionId: ids[1] });
  });

  describe('of two faces that the service assigned in one image', () => {
    const assigned = (identityId: number, similarity: number) => ({ identityId, similarity });
    const faces = (ids: readonly number[]) => read(({ detections }) => detections.byIds(ids));

    test('keeps the more similar one, and suggests the target for the other', async () => {
      const { ids } = await home.photo([assigned(ada, 0.6), assigned(ann, 0.8), {}]);
      const other = await home.photo([assigned(ann, 0.5)]);
      await home.events();
      await merge(ann, ada);
      expect(await faces([...ids, ...other.ids])).toMatchObject([
        { identityId: null, reviewStatus: 'pending', similarity: null },
        { identityId: ada, similarity: 0.8 },
        { identityId: null },
        { identityId: ada, similarity: 0.5 },
      ]);
      const rows = await store.query(
        'SELECT detection_id, identity_id, similarity FROM suggestions',
      );
      expect(rows).toEqual([{ detection_id: ids[0], identity_id: ada, similarity: 0.6 }]);
      expect(await home.events()).toMatchObject([
        { event: 'identity.merged' },
        { event: 'detection.labeled', data: { detection_id: ids[0], identity_id: null } },
      ]);
    });

    test('removes the reference of a confirmed one', async () => {
      const confirmed = { reviewStatus: 'confirmed', decidedBy: 'automatic' } as const;
      const { ids } = await home.photo([
        { ...enrolled(ann), ...assigned(ann, 0.7), ...confirmed },
        { ...enrolled(ada, 20), ...assigned(ada, 0.9), ...confirmed },
      ]);
      await home.events();
      await merge(ann, ada);
      expect(await faces(ids)).toMatchObject([
        { identityId: null, reviewStatus: 'pending' },
        { identityId: ada, reviewStatus: 'confirmed' },
      ]);
      const details = await read(({ identities }) => identities.details(ada, modelId));
      expect(details).toMatchObject({ detectionCount: 1, embeddingCount: 1 });
      expect((await home.events()).map(({ event }) => event)).toEqual([
        'identity.merged',
        'detection.labeled',
        'identity.updated',
      ]);
    });

    test('keeps both if a person assigned one of them', async () => {
      const { ids } = await home.photo([
        { identityId: ann, decidedBy: 'human' },
        assigned(ada, 0.9),
      ]);
      await merge(ann, ada);
      expect(await identityIdsOf(ids)).toEqual([ada, ada]);
    });
  });

  test('moves objects', async () => {
    const [bike, cycle] = [
      await home.identity('bike', 'object'),
      await home.identity('cycle', 'object'),
    ];
    const { ids } = await home.photo([{ ...AN_OBJECT, identityId: bike }]);
    await merge(bike, cycle);
    expect(await identityIdsOf(ids)).toEqual([cycle]);
  });

  test('is refused for another type, another environment, and itself', async () => {
    const bike = await home.identity('bike', 'object');
    const other = await store.environment();
    const foreign = await other.identity('Ada');
    await home.events();
    await expect(merge(ann, bike)).rejects.toMatchObject({ code: 'type_mismatch' });
    await expect(merge(bike, ann)).rejects.toMatchObject({ code: 'type_mismatch' });
    await expect(merge(ann, foreign)).rejects.toMatchObject({ code: 'not_found' });
    await expect(merge(foreign, ann)).rejects.toMatchObject({ code: 'not_found' });
    await expect(merge(ann, ann)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await home.events()).toEqual([]);
  });

  test('keeps the order of rejections, and of two the later', async () => {
    const bob = await home.identity('Bob');
    const { ids } = await home.photo([{}, {}, {}]);
    const [first, second, third] = [ids[0]!, ids[1]!, ids[2]!];
    for (const id of [ann, bob]) await home.reject(first, id);
    for (const id of [ann, bob, ada]) await home.reject(second, id);
    for (const id of [ada, bob, ann]) await home.reject(third, id);
    await merge(ann, ada);
    expect(await rejections(first)).toEqual([ada, bob]);
    expect(await rejections(second)).toEqual([bob, ada]);
    expect(await rejections(third)).toEqual([bob, ada]);
  });

  test('takes the more similar of two suggestions', async () => {
    const { ids } = await home.photo([{}, {}]);
    const suggest = (detectionId: number, ofAnn: number, ofAda: number) => ({
      detectionId,
      candidates: [
        { identityId: ann, similarity: ofAnn },
        { identityId: ada, similarity: ofAda },
      ],
    });
    const suggestions = [suggest(ids[0]!, 0.4, 0.6), suggest(ids[1]!, 0.7, 0.3)];
    await store.database.withEntities({ ...home.scope, locks: [] }, (tx) =>
      tx.suggestions.replace(modelId, suggestions),
    );
    await merge(ann, ada);
    expect(await read(({ gallery }) => gallery.suggestions(modelId, ids))).toEqual([
      { detectionId: ids[1], identityId: ada, label: 'Ada', similarity: 0.7 },
      { detectionId: ids[0], identityId: ada, label: 'Ada', similarity: 0.6 },
    ]);
  });

  test('of a face of the one that was rejected from the other believes what was decided', async () => {
    const human = { decidedBy: 'human' } as const;
    const confirmed = { reviewStatus: 'confirmed' } as const;
    const { ids, source } = await home.photo(
      [
        { identityId: ann },
        { identityId: ada },
        { identityId: ann, ...confirmed },
        { identityId: ada, ...human },
        {},
      ],
      'ours',
    );
    const [assigned, cover, kept, meant, stranger] = ids as [
      number,
      number,
      number,
      number,
      number,
    ];
    for (const id of [assigned, kept, stranger]) await home.reject(id, ada);
    for (const id of [cover, meant]) await home.reject(id, ann);
    await setIdentityCover(store, { scope: home.scope, id: ada, detectionId: cover });
    await home.events();

    await merge(ann, ada);
    expect(await identityIdsOf(ids)).toEqual([null, null, ada, ada, null]);
    for (const id of [assigned, cover, stranger]) expect(await rejections(id)).toEqual([ada]);
    for (const id of [kept, meant]) expect(await rejections(id)).toEqual([]);
    expect(await home.detection(assigned)).toMatchObject({ reviewStatus: 'pending' });
    expect(await byId(ada)).toMatchObject({ coverDetectionId: null });
    const lost = { identity_id: null, type: 'face', external_ref: source.externalRef };
    expect(await home.events()).toEqual([
      {
        event: 'identity.merged',
        data: { identity_id: ann, merged_into: ada, external_ref: null },
      },
      { event: 'detection.labeled', data: { detection_id: assigned, ...lost } },
      { event: 'detection.labeled', data: { detection_id: cover, ...lost } },
      {
        event: 'identity.updated',
        data: {
          identity_id: ada,
          action: 'thumbnail_updated',
          cover_detection_id: null,
          external_ref: null,
        },
      },
    ]);
  });
});
