import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { analyzedObject, STORED_IMAGE } from '@sightline/core/analysis/testing/fake-analyzer';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { deleteDetections } from '@sightline/core/curation/delete-detections';
import { deleteSource } from '@sightline/core/curation/delete-source';
import { createDetection } from '@sightline/core/recognition/create-detection';
import { reprocessImage, type ReprocessRequest } from '@sightline/core/recognition/reprocess-image';
import type { RunDetectorsDeps } from '@sightline/core/recognition/run-detectors';
import {
  aroundRecognition,
  boxAt,
  faceAt,
  full,
  idsOf,
  lost,
  type RecognitionFixture,
  type RecognitionTurn,
} from '../../support/fixtures/recognition-fixture.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';

let fixture: RecognitionFixture;
let home: SeededEnvironment;
let guest: RecognitionTurn['guest'];
let enroll: RecognitionTurn['enroll'];
let image: number;

aroundRecognition((turn) => ({ fixture, home, guest, enroll } = turn));

beforeEach(async () => {
  fixture.analyzer.imageOf = () => ({ width: 100, height: 100 });
  fixture.scenes.set('photo', { faces: [faceAt(0, { bbox: boxAt(0) })] });
  fixture.scenes.set(STORED_IMAGE, { faces: [faceAt(0, { bbox: boxAt(0) })] });
  image = (await guest.detect('photo', { externalRef: 'p' })).source.id;
  await home.events();
});

function reprocess(
  changes: Partial<ReprocessRequest> = {},
  deps: Partial<RunDetectorsDeps> = {},
  options = {},
) {
  const request = { scope: home.scope, id: image, types: 'faces', replace: false } as const;
  return reprocessImage(fixture.process(deps), { ...request, ...changes }, options);
}

const putSystem = (key: string, value: unknown) => fixture.store.systemSettings.put(key, value);

describe('reprocessing', () => {
  test('decides stored faces again, and keeps them and their crops', async () => {
    const [id] = idsOf(await guest.detect('photo'));
    const before = await home.detection(id!);
    const ann = await enroll('Ann', 20);
    await fixture.catchUp();
    const { reused, source, faces } = await reprocess();
    expect({ reused, id: source.id, ref: source.externalRef }).toEqual({
      reused: true,
      id: image,
      ref: 'p',
    });
    expect(faces).toMatchObject([
      { created: false, detection: { id, identityId: ann, cropKey: before!.cropKey } },
    ]);
    expect((await home.events()).map(({ event }) => event)).toEqual([
      'detection.labeled',
      'identity.updated',
    ]);
  });

  test('adds what was not found before, with a crop, and makes no other file', async () => {
    const seen = faceAt(90, { bbox: boxAt(1) });
    const bicycle = analyzedObject({ bbox: boxAt(2) });
    fixture.scenes.set(STORED_IMAGE, {
      faces: [faceAt(0, { bbox: boxAt(0) }), seen],
      objects: [bicycle],
    });
    const before = await fixture.store.files(home.scope);
    const { faces, objects } = await reprocess({ types: 'all' });
    expect(faces.map(({ created }) => created)).toEqual([false, true]);
    expect(objects).toMatchObject([{ created: true, detection: { className: 'bicycle' } }]);
    const added = (await fixture.store.files(home.scope)).filter((key) => !before.includes(key));
    expect(added).toHaveLength(2);
    expect(added.every((key) => key.includes('/crops/'))).toBe(true);
  });

  test('leaves alone what a person decided or drew', async () => {
    const [id] = idsOf(await guest.detect('photo'));
    await actOnFace(fixture.store, {
      scope: home.scope,
      id: id!,
      action: 'relabel',
      target: { label: 'Ann' },
    });
    const drawn = await createDetection(fixture.process(), {
      scope: home.scope,
      sourceImageId: image,
      type: 'face',
      bbox: { x: 60, y: 60, w: 20, h: 20 },
      label: 'Bea',
    });
    const before = await guest.detectionsOf(image);
    fixture.scenes.set(STORED_IMAGE, {
      faces: [faceAt(90, { bbox: boxAt(0) }), faceAt(90, { bbox: drawn.bbox })],
    });
    const { faces } = await reprocess();
    expect(faces.map(({ created }) => created)).toEqual([false, false]);
    expect(await guest.detectionsOf(image)).toEqual(before);
  });

  test('that replaces removes the detections of the type, and inherits rejections', async () => {
    const [id] = idsOf(await guest.detect('photo'));
    const ann = await enroll('Ann', 0);
    await home.reject(id!, ann);
    await fixture.catchUp();
    const { faces } = await reprocess({ replace: true });
    expect(faces).toMatchObject([
      { created: true, detection: { identityId: null }, suggestions: [] },
    ]);
    expect((await guest.detectionsOf(image)).map((detection) => detection.id)).toEqual(
      faces.map(({ detection }) => detection.id),
    );
    expect(await home.events()).toMatchObject([
      { event: 'detection.deleted', data: { detection_ids: [id] } },
      { event: 'detection.created' },
    ]);
  });

  test('that replaces keeps an image in which nothing is found any more', async () => {
    fixture.scenes.set(STORED_IMAGE, {});
    await reprocess({ replace: true });
    expect(await guest.detectionsOf(image)).toEqual([]);
    expect((await reprocess()).reused).toBe(true);
  });
});

describe('the pixels', () => {
  afterEach(async () => {
    await putSystem('system.source_max_size', null);
    await putSystem('system.keep_originals', null);
  });

  test('are those of the stored image; boxes and landmarks are scaled by the exact ratio', async () => {
    await putSystem('system.source_max_size', 256);
    fixture.analyzer.imageOf = (text) =>
      text === STORED_IMAGE ? { width: 256, height: 128 } : { width: 1000, height: 500 };
    const bbox = { x: 100, y: 50, w: 200, h: 100 };
    fixture.scenes.set('large', { faces: [faceAt(0, { bbox })] });
    const first = await guest.detect('large');
    const ratio = 256 / 1000;
    const small = { x: 25.6, y: 12.8, w: 51.2, h: 25.6 };
    const landmarks = Array.from({ length: 5 }, () => ({ x: 25.6, y: 12.8 }));
    fixture.scenes.set(STORED_IMAGE, {
      faces: [
        faceAt(0, { bbox: small }),
        faceAt(90, { bbox: { x: 200, y: 64, w: 25.6, h: 25.6 }, landmarks }),
      ],
    });
    const { faces, source } = await reprocess({ id: first.source.id });
    expect([source.width, source.height]).toEqual([1000, 500]);
    expect(faces).toMatchObject([
      { created: false, detection: { id: first.faces[0]!.detection.id, bbox } },
      { created: true },
    ]);
    const added = faces[1]!.detection;
    expect(added.bbox.x).toBeCloseTo(200 / ratio, 9);
    expect(added.bbox.w).toBeCloseTo(100, 9);
    expect(added.landmarks![0]!.x).toBeCloseTo(100, 9);
    expect(fixture.analyzer.requests.at(-1)!.renditions).not.toHaveProperty('source');
  });

  test('are those of the original if it was kept, which is not kept again', async () => {
    await putSystem('system.keep_originals', true);
    fixture.scenes.set('kept', { faces: [faceAt(0, { bbox: boxAt(0) })] });
    const { source } = await guest.detect('kept');
    const before = await fixture.store.files(home.scope);
    const { faces } = await reprocess({ id: source.id });
    expect(fixture.analyzer.requests.at(-1)!.text).toBe('kept');
    expect(faces).toMatchObject([{ created: false }]);
    expect(await fixture.store.files(home.scope)).toEqual(before);
  });
});

describe('nothing changes', () => {
  const contents = async () => ({
    files: new Set(await fixture.store.files(home.scope)),
    detections: await guest.detectionsOf(image),
    events: await home.events(),
  });

  test.each([false, true])(
    'if inference fails, matching or a store (replace: %s)',
    async (replace) => {
      fixture.scenes.set(STORED_IMAGE, { faces: [faceAt(90, { bbox: boxAt(4) })] });
      const before = await contents();
      fixture.analyzer.before = () => Promise.reject(new Error('gone'));
      await expect(reprocess({ replace })).rejects.toThrow('gone');
      fixture.analyzer.before = () => Promise.resolve();
      const refusals: [Partial<RunDetectorsDeps>, string][] = [
        [{ vectors: lost(fixture.index) }, 'vectors_unavailable'],
        [{ media: full(fixture.store.media) }, 'store_unavailable'],
      ];
      for (const [deps, code] of refusals) {
        await expect(reprocess({ replace }, deps)).rejects.toMatchObject({ code });
      }
      expect(await contents()).toEqual(before);
    },
  );

  test('of an unknown image', async () => {
    await expect(reprocess({ id: 0 })).rejects.toMatchObject({ code: 'not_found' });
  });

  test('if the stored file is missing', async () => {
    const keys = await fixture.store.files(home.scope);
    await fixture.store.media.remove(keys.filter((key) => key.includes('/sources/')));
    await expect(reprocess({ replace: true })).rejects.toMatchObject({ code: 'image_corrupt' });
    expect(await guest.detectionsOf(image)).toHaveLength(1);
    await deleteSource(fixture.store, { scope: home.scope, id: image });
  });

  test('if the image is deleted meanwhile, and posted again', async () => {
    fixture.analyzer.before = async (text) => {
      if (text !== STORED_IMAGE) return;
      await deleteSource(fixture.store, { scope: home.scope, id: image });
      await guest.detect('photo');
    };
    await expect(reprocess({ replace: true })).rejects.toMatchObject({ code: 'not_found' });
    fixture.analyzer.before = () => Promise.resolve();
    expect((await guest.detect('photo')).faces).toMatchObject([{ created: false }]);
  });
});

describe('at the same time', () => {
  const times = <T>(count: number, run: (i: number) => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: count }, (_, i) => run(i)));

  test.each([false, true])('runs and detections leave one set (replace: %s)', async (replace) => {
    await Promise.all([
      times(8, () => reprocess({ replace })),
      times(8, () => guest.detect('photo', { replace })),
    ]);
    expect(await guest.detectionsOf(image)).toHaveLength(1);
    expect(await fixture.store.files(home.scope)).toHaveLength(2);
  });

  test('a face that is deleted meanwhile either exists or does not', async () => {
    for (let round = 0; round < 5; round++) {
      const ids = idsOf(await guest.detect('photo'));
      const [outcome] = await Promise.allSettled([
        reprocess({ id: (await guest.detect('photo')).source.id }),
        deleteDetections(fixture.store, { scope: home.scope, ids }),
      ]);
      if (outcome.status === 'rejected') {
        expect(outcome.reason).toMatchObject({ code: 'not_found' });
      }
    }
  });
});
