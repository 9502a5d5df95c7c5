import { beforeEach, describe, expect, test } from '@jest/globals';
import { analyzedObject } from '@sightline/core/analysis/testing/fake-analyzer';
import type { MediaStore } from '@sightline/core/media/media-store';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import { detectImage } from '@sightline/core/recognition/detect-image';
import { enrollFace } from '@sightline/core/recognition/enroll-face';
import { identifyFaces } from '@sightline/core/recognition/identify-faces';
import type { RunDetectorsDeps } from '@sightline/core/recognition/run-detectors';
import type { DetectionTypes } from '@sightline/core/detection-type';
import { testImage } from '@sightline/core/recognition/test-image';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import {
  aroundRecognition,
  faceAt,
  lost,
  photo,
  type RecognitionFixture,
} from '../../support/fixtures/recognition-fixture.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';

let fixture: RecognitionFixture;
let home: SeededEnvironment;

aroundRecognition((turn) => ({ fixture, home } = turn));

beforeEach(() => {
  fixture.scenes.set('nobody', { objects: [analyzedObject()] });
  fixture.scenes.set('ann', { faces: [faceAt(0)] });
  fixture.analyzer.requests.splice(0);
});

type Work = (changes: Partial<RunDetectorsDeps>, text: string) => Promise<unknown>;

const detect =
  (types: DetectionTypes): Work =>
  (changes, text) =>
    detectImage(fixture.process(changes), {
      scope: home.scope,
      image: photo(text),
      types,
      replace: false,
    });

const look =
  (types: DetectionTypes): Work =>
  (changes, text) =>
    testImage(fixture.process(changes), { scope: home.scope, image: photo(text), types });

const identify: Work = (changes, text) =>
  identifyFaces(fixture.process(changes), { scope: home.scope, image: photo(text), topN: 1 });

const enroll: Work = (changes, text) =>
  enrollFace(fixture.process(changes), {
    scope: home.scope,
    image: photo(text),
    target: { label: 'Ann' },
  });

const noIndex = () => ({ vectors: lost(fixture.index) });

/** Returns a media store that does not respond. */
const noImages = (): { readonly media: MediaStore } => {
  const fail = () => Promise.reject(new StoreUnavailable('The store is down.'));
  const { media } = fixture.store;
  return { media: Object.assign(Object.create(media) as MediaStore, { requireAnswer: fail }) };
};

describe('no photo is analyzed', () => {
  test.each<[string, Work]>([
    ['detect', detect('faces')],
    ['detect all', detect('all')],
    ['test', look('faces')],
    ['test all', look('all')],
    ['identify', identify],
  ])('to %s without the index, also if the photo shows no one', async (_, work) => {
    await expect(work(noIndex(), 'nobody')).rejects.toMatchObject({ code: 'vectors_unavailable' });
    expect(fixture.analyzer.requests).toEqual([]);
  });

  test.each<[string, Work]>([
    ['detect', detect('faces')],
    ['detect objects', detect('objects')],
    ['enroll', enroll],
  ])('to %s without a store for images', async (_, work) => {
    await expect(work(noImages(), 'ann')).rejects.toMatchObject({ code: 'store_unavailable' });
    expect(fixture.analyzer.requests).toEqual([]);
  });
});

describe('a photo is analyzed without a store that it does not need', () => {
  test.each<[string, Work, string]>([
    ['detect objects', detect('objects'), 'nobody'],
    ['test objects', look('objects'), 'nobody'],
    ['enroll', enroll, 'ann'],
  ])('to %s without the index', async (_, work, text) => {
    await work(noIndex(), text);
    expect(fixture.analyzer.requests).toHaveLength(1);
  });

  test.each<[string, Work]>([
    ['identify', identify],
    ['test', look('all')],
  ])('to %s without a store for images', async (_, work) => {
    await work(noImages(), 'ann');
    expect(fixture.analyzer.requests).toHaveLength(1);
  });
});

test('faces are answered without the index if the model makes no embeddings', async () => {
  fixture.scenes.set('ann', { faces: [faceAt(0, { embedding: null })] });
  const { models } = fixture.analyzer;
  fixture.analyzer.models = [{ ...FACE_MODEL, revision: 'd'.repeat(64), embeddingDim: null }];
  try {
    const found = await identify(noIndex(), 'ann');
    const unknown = { identity: null, similarity: null, suggestions: [] };
    expect(found).toMatchObject({ faces: [unknown] });
  } finally {
    fixture.analyzer.models = models;
  }
});

test('an analysis is aborted when the index stops answering', async () => {
  const { index, analyzer } = fixture;
  const begun = Promise.withResolvers<null>();
  const brokenOff = Promise.withResolvers<unknown>();
  analyzer.before = (_, signal) => {
    signal!.addEventListener('abort', () => brokenOff.resolve(signal!.reason));
    begun.resolve(null);
    // This analyzer ignores its signal.
    return new Promise(() => undefined);
  };
  const stopped = async () => {
    await begun.promise;
    throw new VectorsUnavailable('The index hangs.');
  };
  const vectors = Object.assign(Object.create(index) as typeof index, { requireAnswer: stopped });
  try {
    await expect(identify({ vectors }, 'ann')).rejects.toThrow('The index hangs.');
    await brokenOff.promise;
  } finally {
    analyzer.before = () => Promise.resolve();
  }
});
