import { describe, expect, test } from '@jest/globals';
import { analyzedObject } from '@sightline/core/analysis/testing/fake-analyzer';
import { deleteIdentity } from '@sightline/core/curation/delete-identity';
import { FACE_MODEL, OBJECT_MODEL } from '@sightline/core/models/testing/sample-models';
import { type IdentifyRequest, identifyFaces } from '@sightline/core/recognition/identify-faces';
import { testImage } from '@sightline/core/recognition/test-image';
import { verifyFaces } from '@sightline/core/recognition/verify-faces';
import {
  activate,
  aroundRecognition,
  boxAt,
  faceAt,
  lost,
  photo,
  type RecognitionFixture,
  type RecognitionTurn,
} from '../../support/fixtures/recognition-fixture.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';

let fixture: RecognitionFixture;
let home: SeededEnvironment;
let guest: RecognitionTurn['guest'];

aroundRecognition((turn) => ({ fixture, home, guest } = turn));

async function enroll(label: string, ...degrees: readonly number[]): Promise<number> {
  let id = 0;
  for (const angle of degrees) {
    fixture.scenes.set(`${label} ${angle}`, { faces: [faceAt(angle)] });
    id = (await guest.enroll(`${label} ${angle}`, label)).identityId;
  }
  return id;
}

function identify(text: string, changes: Partial<IdentifyRequest> = {}, deps = fixture.process()) {
  return identifyFaces(deps, { scope: home.scope, image: photo(text), topN: 5, ...changes });
}

const contents = async () => [
  await fixture.store.files(home.scope),
  await fixture.store.database.withScope(home.scope, ({ statistics }) => statistics.totals()),
];

const cos = (degrees: number) => expect.closeTo(Math.cos((degrees * Math.PI) / 180), 6);

describe('identify', () => {
  test('answers the identity of a face and suggestions, and stores nothing', async () => {
    const ann = await enroll('Ann', 0);
    const bea = await enroll('Bea', 50);
    fixture.scenes.set('who', {
      faces: [faceAt(10, { bbox: boxAt(0) }), faceAt(12, { bbox: boxAt(1) }), faceAt(150)],
    });
    const before = await contents();
    const { threshold, faces } = await identify('who');
    expect(threshold).toBe(0.5);
    // Two faces may match the same identity, because nothing is stored.
    expect(faces).toMatchObject([
      {
        face: { bbox: boxAt(0) },
        identity: { id: ann, label: 'Ann' },
        similarity: cos(10),
        suggestions: [
          { identityId: ann, label: 'Ann', similarity: cos(10) },
          { identityId: bea, label: 'Bea', similarity: cos(40) },
        ],
      },
      { identity: { id: ann }, similarity: cos(12) },
      {
        identity: null,
        similarity: cos(100),
        suggestions: [{ identityId: bea }, { identityId: ann }],
      },
    ]);
    expect(await contents()).toEqual(before);
  });

  test('takes a threshold and a number of suggestions', async () => {
    await enroll('Ann', 0);
    await enroll('Bea', 50);
    fixture.scenes.set('who', { faces: [faceAt(10)] });
    const { threshold, faces } = await identify('who', { threshold: 0.999, topN: 1 });
    expect(threshold).toBe(0.999);
    expect(faces[0]).toMatchObject({ identity: null, similarity: cos(10) });
    expect(faces[0]!.suggestions).toHaveLength(1);
  });

  test('answers null if no one is enrolled, and no faces if there are none', async () => {
    fixture.scenes.set('who', { faces: [faceAt(10)] });
    expect((await identify('who')).faces).toMatchObject([
      { identity: null, similarity: null, suggestions: [] },
    ]);
    expect((await identify('nobody')).faces).toEqual([]);
  });

  test('counts a person once, however many references they have, in tail and index', async () => {
    const ann = await enroll('Ann', ...Array.from({ length: 8 }, (_, i) => i));
    await fixture.catchUp();
    await enroll('Ann', 20, 21);
    const bea = await enroll('Bea', 90);
    fixture.scenes.set('who', { faces: [faceAt(5)] });
    const { faces } = await identify('who', { topN: 2 });
    expect(faces[0]!.suggestions).toMatchObject([{ identityId: ann }, { identityId: bea }]);
  });

  test('does not find deleted identities, but those behind them in the index', async () => {
    for (let i = 0; i < 15; i++) await enroll(`Gone ${i}`, i);
    const bea = await enroll('Bea', 60);
    await fixture.catchUp();
    fixture.scenes.set('who', { faces: [faceAt(0)] });
    for (let i = 0; i < 15; i++) {
      const [gone] = await fixture.store.database.withScope(home.scope, ({ identities }) =>
        identities.byLabels('face', [`Gone ${i}`]),
      );
      await deleteIdentity(fixture.store, { scope: home.scope, id: gone!.id });
    }
    expect((await identify('who', { topN: 2 })).faces[0]).toMatchObject({
      identity: { id: bea },
      suggestions: [{ identityId: bea }],
    });
  });

  test('finds a person by another reference if the closest is deleted', async () => {
    const ann = await enroll('Ann', 0, 45);
    await fixture.catchUp();
    fixture.scenes.set('who', { faces: [faceAt(0)] });
    fixture.scenes.set('Ann 0', {});
    await guest.detect('Ann 0', { replace: true });
    expect((await identify('who')).faces[0]).toMatchObject({
      identity: { id: ann },
      similarity: cos(45),
    });
  });

  test('compares with the mean by the strategy average', async () => {
    await fixture.store.database.withEntities(
      { ...home.scope, locks: [{ entity: 'environment' }] },
      (tx) => tx.settings.put('face.match_strategy', 'average'),
    );
    const ann = await enroll('Ann', 0, 60);
    fixture.scenes.set('who', { faces: [faceAt(0)] });
    expect((await identify('who')).faces[0]).toMatchObject({
      identity: { id: ann },
      similarity: cos(30),
    });
  });

  test('applies the calibration of the model', async () => {
    fixture.analyzer.models = [
      {
        ...FACE_MODEL,
        revision: 'c'.repeat(64),
        similarityCalibration: [
          [-1, -1],
          [0.5, 0.9],
          [1, 1],
        ],
      },
    ];
    await activate(fixture.store, fixture.analyzer.models);
    try {
      await enroll('Ann', 0);
      fixture.scenes.set('who', { faces: [faceAt(60)] });
      expect((await identify('who')).faces[0]!.similarity).toBeCloseTo(0.9, 5);
    } finally {
      fixture.analyzer.models = [FACE_MODEL, OBJECT_MODEL];
      await activate(fixture.store, fixture.analyzer.models);
    }
  });

  test('cannot answer without the index or without a model', async () => {
    await enroll('Ann', 0);
    fixture.scenes.set('who', { faces: [faceAt(0)] });
    const unavailable = { code: 'vectors_unavailable' };
    const alone = fixture.process({ vectors: lost(fixture.index) });
    await expect(identify('who', {}, alone)).rejects.toMatchObject(unavailable);
    fixture.analyzer.models = [OBJECT_MODEL];
    try {
      await expect(identify('who')).rejects.toMatchObject({ code: 'no_active_model' });
    } finally {
      fixture.analyzer.models = [FACE_MODEL, OBJECT_MODEL];
    }
  });
});

describe('test', () => {
  const look = (text: string) =>
    testImage(fixture.process(), { scope: home.scope, image: photo(text), types: 'all' });

  test('names faces as identify does, and stores nothing', async () => {
    const ann = await enroll('Ann', 0);
    fixture.scenes.set('who', {
      faces: [faceAt(10), faceAt(100)],
      objects: [analyzedObject()],
    });
    const before = await contents();
    const { faces, objects, available } = await look('who');
    expect(faces).toMatchObject([
      { identity: { id: ann, label: 'Ann' }, similarity: cos(10) },
      { identity: null, similarity: cos(100) },
    ]);
    expect(objects).toHaveLength(1);
    expect(available).toEqual({ faces: true, objects: true });
    expect(await contents()).toEqual(before);
  });

  test('skips what has no model', async () => {
    fixture.analyzer.models = [];
    try {
      expect(await look('who')).toEqual({
        faces: null,
        objects: null,
        available: { faces: false, objects: false },
      });
    } finally {
      fixture.analyzer.models = [FACE_MODEL, OBJECT_MODEL];
    }
  });
});

test('verify takes the threshold of the environment', async () => {
  await fixture.store.database.withEntities(
    { ...home.scope, locks: [{ entity: 'environment' }] },
    (tx) => tx.settings.put('face.match_threshold', 0.9),
  );
  fixture.scenes.set('a', { faces: [faceAt(0)] });
  fixture.scenes.set('b', { faces: [faceAt(40)] });
  const result = await verifyFaces(fixture.process(), {
    scope: home.scope,
    images: [photo('a'), photo('b')],
  });
  expect(result).toMatchObject({ match: false, threshold: 0.9, similarity: cos(40) });
});
