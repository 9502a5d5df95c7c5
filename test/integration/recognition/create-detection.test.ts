import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { analyzedObject, STORED_IMAGE } from '@sightline/core/analysis/testing/fake-analyzer';
import { deleteSource } from '@sightline/core/curation/delete-source';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import {
  createDetection,
  type CreateDetectionRequest,
} from '@sightline/core/recognition/create-detection';
import type { RunDetectorsDeps } from '@sightline/core/recognition/run-detectors';
import { NotFound } from '@sightline/core/store/not-found';
import {
  aroundRecognition,
  boxAt,
  faceAt,
  full,
  lost,
  photo,
  type RecognitionFixture,
  type RecognitionTurn,
} from '../../support/fixtures/recognition-fixture.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';

let fixture: RecognitionFixture;
let home: SeededEnvironment;
let guest: RecognitionTurn['guest'];
let enroll: RecognitionTurn['enroll'];
/** The id of a stored image of 100 x 100 pixels in which nothing was found. */
let image: number;

aroundRecognition((turn) => ({ fixture, home, guest, enroll } = turn));

/** Returns the result for a region: a face that looks into this direction, with landmarks. */
const seen = (degrees: number) => () => ({
  embedding: direction(degrees),
  embeddingSource: 'aligned' as const,
  landmarks: LANDMARKS,
});
const LANDMARKS = [1, 2, 3, 4, 5].map((i) => ({ x: 10 + i, y: 20 + i }));
const BOX = { x: 10, y: 20, w: 30, h: 40 };

beforeEach(async () => {
  const { models } = fixture.analyzer;
  Object.assign(fixture.analyzer, { models, regionOf: seen(0), requests: [] });
  fixture.analyzer.imageOf = () => ({ width: 100, height: 100 });
  image = (await guest.detect('photo', { externalRef: 'p' })).source.id;
  await home.events();
});

function draw(
  changes: Partial<CreateDetectionRequest> = {},
  deps: Partial<RunDetectorsDeps> = {},
  options = {},
) {
  const request = { scope: home.scope, sourceImageId: image, type: 'face', bbox: BOX } as const;
  return createDetection(fixture.process(deps), { ...request, ...changes }, options);
}

const eventNames = async () =>
  (await home.events()).map(({ event, data }) => ('action' in data ? data.action : event));

describe('a face that a person draws', () => {
  test('is confirmed and enrolled as the label says', async () => {
    const detection = await draw({ label: ' Ann ' });
    expect(detection).toMatchObject({
      type: 'face',
      bbox: BOX,
      confidence: 1,
      landmarks: LANDMARKS,
      label: 'Ann',
      similarity: null,
      reviewStatus: 'confirmed',
      decidedBy: 'human',
      isManual: true,
      embeddingSource: 'aligned',
      age: null,
    });
    expect(await guest.referencesOf([detection.id])).toMatchObject([
      { identityId: detection.identityId },
    ]);
    expect(await eventNames()).toEqual([
      'identity.created',
      'detection.created',
      'detection_added',
      'embedding_added',
    ]);
    // After the index has caught up, Ann is recognized.
    await fixture.catchUp();
    fixture.scenes.set('other', { faces: [faceAt(0)] });
    const { faces } = await guest.detect('other');
    expect(faces).toMatchObject([{ detection: { label: 'Ann' } }]);
  });

  test('joins the identity of the label that exists', async () => {
    const ann = await enroll('Ann', 90);
    expect(await draw({ label: 'Ann' })).toMatchObject({ identityId: ann });
    expect(await eventNames()).toEqual(['detection.created', 'detection_added', 'embedding_added']);
  });

  test('without a label is matched, pending at most, and never decided again', async () => {
    const ann = await enroll('Ann', 0);
    await fixture.catchUp();
    const detection = await draw();
    expect(detection).toMatchObject({
      identityId: ann,
      similarity: expect.closeTo(1, 5),
      reviewStatus: 'pending',
      decidedBy: 'human',
    });
    expect(await guest.referencesOf([detection.id])).toEqual([]);
    expect(await eventNames()).toEqual(['detection.created', 'detection_added']);
    // A later run finds another person's face in the same box.
    fixture.scenes.set('photo', { faces: [faceAt(90, { bbox: BOX })] });
    const { faces } = await guest.detect('photo');
    expect(faces).toMatchObject([{ created: false, detection }]);
  });

  test('that resembles no known person waits for review without an identity', async () => {
    expect(await draw()).toMatchObject({ identityId: null, reviewStatus: 'pending' });
    expect(await home.events()).toEqual([
      {
        event: 'detection.created',
        data: {
          detection_id: expect.any(Number),
          type: 'face',
          identity_id: null,
          external_ref: 'p',
        },
      },
    ]);
  });

  test('is a detection of its own over a stored one, and both are found again', async () => {
    fixture.scenes.set('photo', { faces: [faceAt(0, { bbox: BOX })] });
    const first = await guest.detect('photo');
    await home.events();
    const drawn = await draw({ label: 'Ann' });
    expect(await guest.detectionsOf(image)).toHaveLength(2);
    // Both boxes cover the found face completely, and the older detection is matched.
    const { faces } = await guest.detect('photo');
    expect(faces.map(({ detection }) => detection.id)).toEqual([first.faces[0]!.detection.id]);
    expect(await home.detection(drawn.id)).toEqual(drawn);
  });

  test('is removed by a run that replaces', async () => {
    const { id } = await draw({ label: 'Ann' });
    await guest.detect('photo', { replace: true });
    expect(await guest.detectionsOf(image)).toEqual([]);
    expect(await home.detection(id)).toBeNull();
  });

  test('gets its embedding from the box where no landmarks are found', async () => {
    fixture.analyzer.regionOf = () => ({
      embedding: direction(0),
      embeddingSource: 'box',
      landmarks: null,
    });
    expect(await draw()).toMatchObject({ embeddingSource: 'box', landmarks: null, turned: 0 });
  });

  test('is turned as its landmarks show', async () => {
    const eyesBelowMouth = [
      { x: 30, y: 50 },
      { x: 20, y: 50 },
      { x: 25, y: 40 },
      { x: 30, y: 30 },
      { x: 20, y: 30 },
    ];
    fixture.analyzer.regionOf = () => ({ ...seen(0)(), landmarks: eyesBelowMouth });
    expect(await draw()).toMatchObject({ landmarks: eyesBelowMouth, turned: 180 });
  });

  test('has none without a face model, and is neither matched nor enrolled', async () => {
    const { models } = fixture.analyzer;
    for (const left of [[], [{ ...FACE_MODEL, name: 'blind', embeddingDim: null }]]) {
      fixture.analyzer.models = left;
      try {
        const unnamed = await draw({}, { vectors: lost(fixture.index) });
        expect(unnamed).toMatchObject({ embeddingSource: null, similarity: null });
        const named = await draw({ label: 'Ann' });
        expect(named).toMatchObject({ embeddingSource: null, reviewStatus: 'confirmed' });
        expect(await guest.referencesOf([named.id])).toEqual([]);
      } finally {
        fixture.analyzer.models = models;
      }
    }
  });
});

describe('an object that a person draws', () => {
  test('has no class, and the identity of its label', async () => {
    const detection = await draw({ type: 'object', label: 'Rex' });
    expect(detection).toMatchObject({
      type: 'object',
      className: null,
      classId: null,
      label: 'Rex',
      reviewStatus: 'confirmed',
      decidedBy: 'human',
      isManual: true,
      embeddingSource: null,
    });
    expect(await eventNames()).toEqual(['identity.created', 'detection.created']);
    const again = await draw({ type: 'object', label: 'Rex' });
    expect(again.identityId).toBe(detection.identityId);
  });

  test('without a label has none, and needs no index', async () => {
    const vectors = lost(fixture.index);
    expect(await draw({ type: 'object' }, { vectors })).toMatchObject({
      identityId: null,
      reviewStatus: 'pending',
      decidedBy: 'human',
    });
  });

  test('is what a later run finds there, and stays as it is', async () => {
    const drawn = await draw({ type: 'object', bbox: boxAt(0), label: 'Rex' });
    fixture.scenes.set('photo', { objects: [analyzedObject({ bbox: boxAt(0) })] });
    const { objects } = await guest.detect('photo', { types: 'objects' });
    expect(objects).toEqual([{ created: false, detection: drawn }]);
  });
});

test('which models are active is asked only for a face without a label', async () => {
  const { analyzer } = fixture;
  const mute: RunDetectorsDeps['analyzer'] = {
    status: () => Promise.reject(new Error('asked')),
    requireRoom: () => undefined,
    analyze: (request) => analyzer.analyze(request),
  };
  await draw({ type: 'object' }, { analyzer: mute });
  await draw({ label: 'Ann' }, { analyzer: mute });
  await expect(draw({}, { analyzer: mute })).rejects.toThrow('asked');
});

describe('the pixels', () => {
  const put = (key: string, value: unknown) => fixture.store.systemSettings.put(key, value);

  afterEach(async () => {
    await put('system.source_max_size', null);
    await put('system.keep_originals', null);
  });

  test('are those of the stored image, in which the box is scaled by the exact ratio', async () => {
    await put('system.source_max_size', 256);
    fixture.analyzer.imageOf = (text) =>
      text === STORED_IMAGE ? { width: 256, height: 128 } : { width: 1000, height: 500 };
    image = (await guest.detect('large')).source.id;
    const { landmarks } = await draw({ bbox: { x: 900, y: 250, w: 200, h: 100 } });
    const request = fixture.analyzer.requests.at(-1)!;
    expect(request.text).toBe(STORED_IMAGE);
    const ratio = 256 / 1000;
    const box = { x: 900 * ratio, y: 250 * ratio, w: 100 * ratio, h: 100 * ratio };
    expect(request).toMatchObject({
      faceRegions: [{ bbox: box, landmarks: null }],
      renditions: { boxes: [box] },
    });
    expect(request.renditions).not.toHaveProperty('source');
    expect(landmarks![0]!.x).toBeCloseTo(11 / ratio, 9);
  });

  test('are those of the original if it was kept', async () => {
    await put('system.keep_originals', true);
    await put('system.source_max_size', 256);
    fixture.analyzer.imageOf = () => ({ width: 1000, height: 500 });
    image = (await guest.detect('kept')).source.id;
    await draw();
    const { text, faceRegions } = fixture.analyzer.requests.at(-1)!;
    expect(text).toBe('kept');
    expect(faceRegions).toEqual([{ bbox: BOX, landmarks: null }]);
  });
});

describe('nothing is stored', () => {
  const contents = async () => ({
    files: new Set(await fixture.store.files(home.scope)),
    detections: await guest.detectionsOf(image),
    events: await home.events(),
  });

  test.each<[string, Partial<CreateDetectionRequest>, string]>([
    ['of an unknown image', { sourceImageId: 0 }, 'not_found'],
    ['of a box outside the image', { bbox: { ...BOX, x: -30 } }, 'invalid_request'],
    ['of less than a pixel', { bbox: { ...BOX, x: 99.5 } }, 'invalid_request'],
    ['under an empty label', { label: ' ' }, 'invalid_request'],
  ])('%s', async (_, changes, code) => {
    const before = await contents();
    await expect(draw(changes)).rejects.toMatchObject({ code });
    expect(await contents()).toEqual(before);
    expect(fixture.analyzer.requests).toHaveLength(1);
  });

  test('if inference, matching or a store fails', async () => {
    const before = await contents();
    fixture.analyzer.before = () => Promise.reject(new Error('gone'));
    await expect(draw({ label: 'Ann' })).rejects.toThrow('gone');
    fixture.analyzer.before = () => Promise.resolve();
    await expect(draw({}, { vectors: lost(fixture.index) })).rejects.toMatchObject({
      code: 'vectors_unavailable',
    });
    await expect(draw({}, { media: full(fixture.store.media) })).rejects.toMatchObject({
      code: 'store_unavailable',
    });
    const settle = () => Promise.reject(new NotFound('key', 1));
    await expect(draw({ label: 'Ann' }, {}, { settle })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await contents()).toMatchObject({ detections: before.detections, events: [] });
  });

  test('if the stored file is missing or damaged', async () => {
    const [key] = (await fixture.store.files(home.scope)).filter((name) =>
      name.includes('/sources/'),
    );
    await fixture.store.media.remove([key!]);
    await expect(draw()).rejects.toMatchObject({ code: 'image_corrupt' });
    await fixture.store.media.put(key!, photo('damaged'));
    await expect(draw()).rejects.toMatchObject({ code: 'image_corrupt' });
    expect(await guest.detectionsOf(image)).toEqual([]);
    await deleteSource(fixture.store, { scope: home.scope, id: image });
  });

  test('if the image is deleted while its pixels are looked at', async () => {
    fixture.analyzer.before = async () => {
      await deleteSource(fixture.store, { scope: home.scope, id: image });
    };
    await expect(draw({ label: 'Ann' })).rejects.toMatchObject({ code: 'not_found' });
    expect(await fixture.store.files(home.scope)).toEqual([]);
  });
});

describe('at the same time', () => {
  test('ten people draw ten boxes, beside detections of the photo', async () => {
    fixture.scenes.set('photo', { faces: [faceAt(90, { bbox: { x: 0, y: 0, w: 9, h: 9 } })] });
    const [drawn] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, (_, i) => draw({ label: `Ann ${i % 3}` }))),
      Promise.all(Array.from({ length: 5 }, () => guest.detect('photo'))),
    ]);
    expect(new Set(drawn.map(({ id }) => id)).size).toBe(10);
    expect(new Set(drawn.map(({ identityId }) => identityId)).size).toBe(3);
    expect(await guest.detectionsOf(image)).toHaveLength(11);
  });
});
