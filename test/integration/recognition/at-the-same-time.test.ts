import { beforeEach, describe, expect, test } from '@jest/globals';
import { analyzedObject } from '@sightline/core/analysis/testing/fake-analyzer';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { deleteDetections } from '@sightline/core/curation/delete-detections';
import { deleteIdentity } from '@sightline/core/curation/delete-identity';
import {
  aroundRecognition,
  boxAt,
  faceAt,
  type RecognitionFixture,
  type RecognitionTurn,
} from '../../support/fixtures/recognition-fixture.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';

let fixture: RecognitionFixture;
let home: SeededEnvironment;
let guest: RecognitionTurn['guest'];

aroundRecognition((turn) => ({ fixture, home, guest } = turn));

const totals = () =>
  fixture.store.database.withScope(home.scope, ({ statistics }) => statistics.totals());

const times = <T>(count: number, run: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => run(i)));

describe('twenty posts of one photo', () => {
  beforeEach(() => {
    fixture.scenes.set('photo', {
      faces: [faceAt(0, { bbox: boxAt(0) }), faceAt(90, { bbox: boxAt(1) })],
      objects: [analyzedObject({ bbox: boxAt(2) })],
    });
  });

  test('leave one set of detections and files', async () => {
    const results = await times(20, () => guest.detect('photo', { types: 'all' }));
    expect(results.filter(({ reused }) => !reused)).toHaveLength(1);
    expect(new Set(results.map(({ source }) => source.id)).size).toBe(1);
    expect(await totals()).toMatchObject({
      sourceImages: 1,
      faceDetections: 2,
      objectDetections: 1,
      objectIdentities: 1,
    });
    expect(await fixture.store.files(home.scope)).toHaveLength(4);
    const events = await home.events();
    expect(events.map(({ event }) => event)).toEqual([
      'identity.created',
      'detection.created',
      'detection.created',
      'detection.created',
    ]);
  });

  test('that replace leave one set, too', async () => {
    await times(20, () => guest.detect('photo', { types: 'all', replace: true }));
    expect(await totals()).toMatchObject({ faceDetections: 2, objectDetections: 1 });
    expect(await fixture.store.files(home.scope)).toHaveLength(4);
  });

  test('with a new name each leave the last one', async () => {
    const results = await times(8, (i) => guest.detect('photo', { label: `Ann ${i}` }));
    const ids = new Set(results.map(({ faces }) => faces[0]!.detection.id));
    expect(ids.size).toBe(1);
    const references = await fixture.store.database.withScope(home.scope, (stores) =>
      stores.references.ofDetections([...ids]),
    );
    const detection = await home.detection([...ids][0]!);
    expect(references).toMatchObject([{ identityId: detection!.identityId }]);
  });
});

describe('twenty concurrent labels of one face', () => {
  beforeEach(() => {
    fixture.scenes.set('photo', { faces: [faceAt(0)] });
  });

  const detectOne = async () => (await guest.detect('photo')).faces[0]!.detection.id;
  const label = (id: number, name: string) =>
    actOnFace(fixture.store, { scope: home.scope, id, action: 'relabel', target: { label: name } });

  test('are applied one after the other', async () => {
    const id = await detectOne();
    await times(20, (i) => label(id, `Ann ${i}`));
    const { identityId } = (await home.detection(id))!;
    const references = await fixture.store.database.withScope(home.scope, (stores) =>
      stores.references.ofDetections([id]),
    );
    expect(references).toMatchObject([{ identityId }]);
    const labeled = (await home.events()).filter(({ event }) => event === 'detection.labeled');
    expect(labeled).toHaveLength(20);
    expect(labeled.at(-1)).toMatchObject({ data: { identity_id: identityId } });
  });

  test('and name it in detections, too', async () => {
    const id = await detectOne();
    await Promise.all([
      times(20, (i) => label(id, `Ann ${i}`)),
      times(10, (i) => guest.detect('photo', { label: `Bea ${i}` })),
    ]);
    expect(await totals()).toMatchObject({ faceIdentities: 30, faceDetections: 1 });
  });

  test('fail if the face is deleted meanwhile', async () => {
    const id = await detectOne();
    const [deletion, ...labelings] = await Promise.allSettled([
      deleteDetections(fixture.store, { scope: home.scope, ids: [id] }),
      ...Array.from({ length: 20 }, (_, i) => label(id, `Ann ${i}`)),
    ]);
    expect(deletion).toMatchObject({ status: 'fulfilled', value: { deleted: [id] } });
    const refusals = labelings.filter(({ status }) => status === 'rejected');
    for (const refusal of refusals)
      expect(refusal).toMatchObject({ reason: { code: 'not_found' } });
    expect(await totals()).toMatchObject({ sourceImages: 0, faceDetections: 0 });
  });
});

test('many photos of one person all match her', async () => {
  fixture.scenes.set('ann', { faces: [faceAt(0)] });
  const { identityId } = await guest.enroll('ann', 'Ann');
  for (let i = 0; i < 20; i++) fixture.scenes.set(`${i}`, { faces: [faceAt(i / 2)] });
  const results = await times(20, (i) => guest.detect(`${i}`));
  expect(results.map(({ faces }) => [faces[0]!.detection.identityId, faces[0]!.enrolled])).toEqual(
    Array.from({ length: 20 }, () => [identityId, true]),
  );
});

test('many photos with one new class create one identity', async () => {
  for (let i = 0; i < 10; i++) fixture.scenes.set(`${i}`, { objects: [analyzedObject()] });
  const results = await times(10, (i) => guest.detect(`${i}`, { types: 'objects' }));
  expect(new Set(results.map(({ objects }) => objects[0]!.detection.identityId)).size).toBe(1);
});

test('a person who is deleted during a match is either matched or not', async () => {
  fixture.scenes.set('ann', { faces: [faceAt(0)] });
  const { identityId } = await guest.enroll('ann', 'Ann');
  for (let i = 0; i < 10; i++) fixture.scenes.set(`${i}`, { faces: [faceAt(i)] });
  const [results] = await Promise.all([
    times(10, (i) => guest.detect(`${i}`)),
    deleteIdentity(fixture.store, { scope: home.scope, id: identityId }),
  ]);
  for (const { faces } of results) expect(faces).toHaveLength(1);
  // Her rows were deleted with her, so later faces do not match her.
  const { faceDetections, faceIdentities } = await totals();
  expect(faceIdentities).toBe(0);
  const orphans = await fixture.store.query<{ n: number }>(
    'SELECT count(*) AS n FROM detections WHERE environment_id = $1 AND identity_id IS NOT NULL',
    [home.scope.environmentId],
  );
  expect(orphans).toEqual([{ n: 0 }]);
  expect(faceDetections).toBeLessThanOrEqual(10);
});

test('a person whose photos keep coming can be deleted', async () => {
  fixture.scenes.set('ann', { faces: [faceAt(0)] });
  const { identityId } = await guest.enroll('ann', 'Ann');
  let isDeleted = false;
  let photos = 0;
  const visits = times(8, async () => {
    while (!isDeleted) {
      const photo = `${photos++}`;
      fixture.scenes.set(photo, { faces: [faceAt(0)] });
      await guest.detect(photo);
    }
  });
  for (let i = 0; i < 5; i++) await guest.detect('ann');
  await deleteIdentity(fixture.store, { scope: home.scope, id: identityId }).finally(() => {
    isDeleted = true;
  });
  await visits;
  expect(await totals()).toMatchObject({ faceIdentities: 0 });
});

test('detections that are deleted while the photo is posted again either exist or do not', async () => {
  fixture.scenes.set('photo', { faces: [faceAt(0)] });
  for (let round = 0; round < 10; round++) {
    const { faces } = await guest.detect('photo');
    const ids = [faces[0]!.detection.id];
    const [again] = await Promise.all([
      guest.detect('photo'),
      deleteDetections(fixture.store, { scope: home.scope, ids }),
    ]);
    expect(again.faces).toHaveLength(1);
  }
});
