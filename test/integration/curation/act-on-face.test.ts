import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { deleteIdentity } from '@sightline/core/curation/delete-identity';
import { deleteReference } from '@sightline/core/curation/delete-reference';
import type { FaceAction } from '@sightline/core/curation/face-action';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;
let modelId: number;
let ann: number;
let bea: number;

beforeAll(async () => {
  store = await openStoreFixture();
  modelId = store.faceModelId;
});

beforeEach(async () => {
  home = await store.environment();
  ann = await home.identity('Ann');
  bea = await home.identity('Bea');
});

afterAll(async () => {
  expect(await store.maintenance.contradictions()).toEqual([]);
  await store[Symbol.asyncDispose]();
});

const embedding = () => ({ modelId, vector: direction(10) });

function act(id: number, action: FaceAction, identityId?: number) {
  const target = identityId === undefined ? {} : { target: { identityId } };
  return actOnFace(store, { scope: home.scope, id, action, ...target });
}

/** Creates a face in the state that the key names. Ann's faces are also her cover. */
const STATES: Readonly<Record<string, () => Promise<number>>> = {
  'an unknown face': () => seed({}),
  "Ann's pending face": async () => covering(await seed({ identityId: ann, similarity: 0.6 })),
  "Ann's enrolled face": async () =>
    covering(await seed({ identityId: ann, similarity: 0.9, enrolledBy: [modelId] })),
  'a face rejected from Ann': async () => {
    const id = await seed({ identityId: ann });
    await act(id, 'reject');
    return id;
  },
};

async function seed(face: Parameters<SeededEnvironment['photo']>[0][number]): Promise<number> {
  const { ids } = await home.photo([{ embedding: embedding(), ...face }], 'photo-1');
  return ids[0]!;
}

async function covering(id: number): Promise<number> {
  await store.database.withEntities(
    { ...home.scope, locks: [{ entity: 'identity', id: ann, mode: 'exclusive' }] },
    (tx) => tx.identities.setCover(ann, id),
  );
  return id;
}

/** Summarizes the published events about a face. */
async function eventsOf(id: number): Promise<readonly string[]> {
  const nameOf = (identity: unknown) =>
    identity === ann ? 'Ann' : identity === bea ? 'Bea' : String(identity);
  return (await home.events()).map(({ event, data }) => {
    const facts = data as Readonly<Record<string, unknown>>;
    if (event === 'detection.labeled') {
      expect(facts).toMatchObject({ detection_id: id, type: 'face', external_ref: 'photo-1' });
      return `labeled ${nameOf(facts.identity_id)}`;
    }
    if (event !== 'identity.updated') return event;
    if (facts.action === 'thumbnail_updated') {
      expect(facts).toMatchObject({ cover_detection_id: null });
      return `uncovered ${nameOf(facts.identity_id)}`;
    }
    expect(facts).toMatchObject({ detection_id: id, embedding_id: expect.any(Number) });
    return `${String(facts.action)} ${nameOf(facts.identity_id)}`;
  });
}

const TO_BEA = ['labeled Bea', 'embedding_added Bea'];
const FROM_ANN = ['labeled Bea', 'embedding_added Bea', 'uncovered Ann'];
const MOVED = ['labeled Bea', 'embedding_removed Ann', 'embedding_added Bea', 'uncovered Ann'];
const LOST = ['labeled null', 'uncovered Ann'];
const REVOKED = ['labeled null', 'embedding_removed Ann', 'uncovered Ann'];

const CELLS: readonly (readonly [FaceAction, string, readonly string[]])[] = [
  ['confirm', 'an unknown face', TO_BEA],
  ['confirm', "Ann's pending face", FROM_ANN],
  ['confirm', "Ann's enrolled face", MOVED],
  ['confirm', 'a face rejected from Ann', TO_BEA],
  ['reassign', 'an unknown face', TO_BEA],
  ['reassign', "Ann's pending face", FROM_ANN],
  ['reassign', "Ann's enrolled face", MOVED],
  ['reassign', 'a face rejected from Ann', TO_BEA],
  ['relabel', 'an unknown face', TO_BEA],
  ['relabel', "Ann's pending face", FROM_ANN],
  ['relabel', "Ann's enrolled face", MOVED],
  ['relabel', 'a face rejected from Ann', TO_BEA],
  ['unassign', 'an unknown face', []],
  ['unassign', "Ann's pending face", LOST],
  ['unassign', "Ann's enrolled face", REVOKED],
  ['unassign', 'a face rejected from Ann', []],
  ['reject', 'an unknown face', []],
  ['reject', "Ann's pending face", LOST],
  ['reject', "Ann's enrolled face", REVOKED],
  ['reject', 'a face rejected from Ann', []],
  ['restore', 'a face rejected from Ann', ['labeled Ann']],
  ['enroll', "Ann's pending face", ['embedding_added Ann']],
  ['enroll', "Ann's enrolled face", []],
  ['revoke', 'an unknown face', []],
  ['revoke', "Ann's pending face", []],
  ['revoke', "Ann's enrolled face", ['embedding_removed Ann']],
  ['revoke', 'a face rejected from Ann', []],
  ['dismiss', 'an unknown face', []],
  ['dismiss', "Ann's enrolled face", []],
  ['dismissMismatch', "Ann's enrolled face", []],
];

const ASSIGNING = ['confirm', 'reassign', 'relabel'];

describe('the events', () => {
  test.each(CELLS)('of %s of %s, and none when it is repeated', async (action, state, events) => {
    const id = await STATES[state]!();
    await home.events();
    const target = ASSIGNING.includes(action) ? bea : undefined;
    const { row } = await act(id, action, target);
    expect(await eventsOf(id)).toEqual(events);
    const detection = (await home.detection(id))!;
    const { isDismissed, ...columns } = row;
    expect(detection).toMatchObject(columns);
    expect(detection.dismissedAt !== null).toBe(isDismissed);
    if (action === 'restore') return;
    await act(id, action, target);
    expect(await eventsOf(id)).toEqual([]);
    expect(await home.detection(id)).toEqual(detection);
  });

  test('of a new identity come first', async () => {
    const id = await seed({ identityId: ann, enrolledBy: [modelId] });
    await home.events();
    const request = { scope: home.scope, id, target: { label: ' Cleo ' } };
    const { identity } = await actOnFace(store, { ...request, action: 'reassign' });
    expect(identity).toMatchObject({ label: 'Cleo', type: 'face' });
    const [first, ...others] = await eventsOf(id);
    expect(first).toBe('identity.created');
    expect(others).toEqual([
      `labeled ${identity!.id}`,
      'embedding_removed Ann',
      `embedding_added ${identity!.id}`,
    ]);
  });
});

describe('a refused action changes nothing', () => {
  test.each<[FaceAction, string, string]>([
    ['restore', 'an unknown face', 'not_rejected'],
    ['restore', "Ann's enrolled face", 'not_rejected'],
    ['enroll', 'an unknown face', 'not_assigned'],
    ['enroll', 'a face rejected from Ann', 'not_assigned'],
  ])('%s of %s', async (action, state, code) => {
    const id = await STATES[state]!();
    await home.events();
    const before = await home.detection(id);
    await expect(act(id, action)).rejects.toMatchObject({ code });
    expect(await home.detection(id)).toEqual(before);
    expect(await home.events()).toEqual([]);
  });

  test('with another type of identity, no new one is left either', async () => {
    const bus = await home.identity('bus', 'object');
    const id = await seed({});
    const { ids } = await home.photo([{ type: 'object', embeddingSource: null }]);
    await home.events();
    await expect(act(id, 'confirm', bus)).rejects.toMatchObject({ code: 'type_mismatch' });
    const request = { scope: home.scope, id: ids[0]!, target: { label: 'Cleo' } };
    const refused = actOnFace(store, { ...request, action: 'reassign' });
    await expect(refused).rejects.toMatchObject({ code: 'not_a_face' });
    expect(await home.events()).toEqual([]);
  });
});

async function rejections(id: number) {
  const [face] = await store.database.withScope(home.scope, ({ faceRecords }) =>
    faceRecords.byIds([id], null),
  );
  return face!.rejections;
}

describe('restore', () => {
  test('brings back the identity of the latest rejection, and forgets that one alone', async () => {
    const id = await seed({ identityId: ann });
    await act(id, 'reject');
    await act(id, 'confirm', bea);
    await act(id, 'reject');
    expect((await act(id, 'restore')).row).toMatchObject({
      identityId: bea,
      reviewStatus: 'pending',
    });
    const left = await rejections(id);
    expect(left).toEqual([{ detectionId: id, identityId: ann, isLatest: false }]);
    // After a second rejection, this identity is the latest rejected one again.
    await act(id, 'confirm', ann);
    await act(id, 'reject');
    expect((await act(id, 'restore')).row.identityId).toBe(ann);
  });

  test('finds no identity if that was deleted, or if there was none', async () => {
    const id = await seed({ identityId: ann });
    await act(id, 'reject');
    await act(id, 'confirm', bea);
    await act(id, 'reject');
    await deleteIdentity(store, { scope: home.scope, id: bea });
    expect((await act(id, 'restore')).row.identityId).toBeNull();
    await act(id, 'reject');
    expect((await act(id, 'restore')).row.identityId).toBeNull();
  });

  test('finds the identity into which that one is merging', async () => {
    const id = await seed({ identityId: ann });
    await act(id, 'reject');
    await store.query(
      'UPDATE identities SET deleting_since = now(), merged_into = $2 WHERE id = $1',
      [ann, bea],
    );
    expect((await act(id, 'restore')).row.identityId).toBe(bea);
    const left = await rejections(id);
    expect(left).toEqual([]);
    await store.query(
      'UPDATE identities SET deleting_since = NULL, merged_into = NULL WHERE id = $1',
      [ann],
    );
  });
});

describe('references', () => {
  test('of a previous model move too, and mean and index follow', async () => {
    const previous = store.retiredFaceModelId;
    const vector = direction(20);
    const face = {
      identityId: ann,
      embedding: { modelId: previous, vector },
      enrolledBy: [previous],
    };
    const id = await seed(face);
    await store.database.withEntities(
      { ...home.scope, locks: [{ entity: 'detection', id }] },
      (tx) => tx.detections.addEmbeddings(modelId, [{ detectionId: id, vector: direction(10) }]),
    );
    const { reference } = await act(id, 'confirm', bea);
    const [links, means] = await store.database.withScope(home.scope, (stores) =>
      Promise.all([
        stores.references.ofDetections([id]),
        stores.gallery.means(modelId, [ann, bea]),
      ]),
    );
    expect(links.map((link) => [link.identityId, link.modelId])).toEqual([
      [bea, previous],
      [bea, modelId],
    ]);
    expect(links.find((link) => link.modelId === modelId)).toEqual(reference);
    expect(means.map(({ identityId }) => identityId)).toEqual([bea]);
  });

  test('are deleted one by one; the face stays what it is', async () => {
    const id = await seed({ identityId: ann, enrolledBy: [modelId] });
    const { reference } = await act(id, 'enroll');
    await home.events();
    const before = await home.detection(id);
    await deleteReference(store, { scope: home.scope, id: reference!.id });
    expect(await eventsOf(id)).toEqual(['embedding_removed Ann']);
    expect(await home.detection(id)).toEqual(before);
    const again = deleteReference(store, { scope: home.scope, id: reference!.id });
    await expect(again).rejects.toMatchObject({ code: 'not_found' });
    // Enrolling works, because the vector still exists.
    expect((await act(id, 'enroll')).reference).not.toBeNull();
  });
});
