import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import type { ActiveModel, ModelTask } from '@sightline/core/models/model';
import { DEFAULT_IMAGE_LIMITS } from '@sightline/core/sources/image-limits';
import { analyzeImage, type AnalyzeImageDeps, type StageTiming } from './analyze-image.ts';
import { PixelBudget } from './image/pixel-budget.ts';
import { sharp } from './image/sharp.ts';
import type { StageObserver } from './stage.ts';

const LIMITS = DEFAULT_IMAGE_LIMITS;
const FACES = {
  detectionThreshold: 0.5,
  embed: true,
  attributes: true,
  fullFramePass: false,
  upright: false,
};
const OBJECTS = { confidenceThreshold: 0.25, classFilter: [] };
const RENDITIONS = { source: { maxSize: 40, quality: 80 }, crops: { padding: 0.5, quality: 80 } };

const FACE = {
  bbox: { x: 10, y: 10, w: 20, h: 8 },
  confidence: 0.9,
  quality: 0.9,
  landmarks: null,
  embedding: null,
  age: null,
  gender: null,
  pose: null,
  turned: 0 as const,
};
const REGION = {
  embedding: Float32Array.of(1, 0),
  embeddingSource: 'box',
  landmarks: null,
} as const;
const OBJECT = {
  bbox: { x: 0, y: 0, w: 10, h: 10 },
  confidence: 0.8,
  classId: 0,
  className: 'dot',
};

function model(name: string, task: ModelTask): ActiveModel {
  return {
    name,
    task,
    version: '1',
    revision: '00',
    license: 'none',
    commercialUse: true,
    commercialUseReason: null,
    provides: [],
    embeddingDim: null,
    classes: [],
    similarityCalibration: null,
  };
}

/** Opens pipelines that each find one object and record the rasters that they get. */
function open(duringFaces: (observe: StageObserver) => Promise<void> | void = () => undefined) {
  const rasters: unknown[] = [];
  const deps: AnalyzeImageDeps = {
    limits: LIMITS,
    budget: PixelBudget.alone(LIMITS.maxPixelsInFlight),
    faces: {
      model: model('face-pack', 'face'),
      pipeline: {
        async analyze(raster, _options, observe) {
          rasters.push(raster);
          await duringFaces(observe);
          return [FACE];
        },
        embedRegions(raster, regions, observe) {
          rasters.push(raster);
          observe('embed', 5);
          return Promise.resolve(regions.map(() => REGION));
        },
      },
    },
    objects: {
      model: model('object-pack', 'object'),
      pipeline: {
        analyze(raster, _options, observe) {
          rasters.push(raster);
          observe('detect', 7);
          return Promise.resolve([OBJECT]);
        },
      },
    },
  };
  return { deps, rasters };
}

async function picture(): Promise<Uint8Array> {
  const create = { width: 80, height: 60, channels: 3, background: '#336699' } as const;
  return sharp({ create })
    .png()
    .toUint8Array()
    .then(({ data }) => data);
}

function progress(controller = new AbortController()) {
  const timings: StageTiming[] = [];
  return {
    signal: controller.signal,
    timings,
    onStage: (timing: StageTiming) => timings.push(timing),
  };
}

describe('an image analysis', () => {
  test('passes the same raster to all pipelines and names their models', async () => {
    const { deps, rasters } = open();
    const request = { image: await picture(), faces: FACES, objects: OBJECTS };
    const analysis = await analyzeImage(deps, request, progress());
    expect(analysis).toEqual({
      image: { format: 'png', width: 80, height: 60, takenAt: null },
      faces: { model: deps.faces?.model, items: [{ ...FACE, crop: null }] },
      faceRegions: null,
      objects: { model: deps.objects?.model, items: [{ ...OBJECT, crop: null }] },
      source: null,
      boxCrops: [],
    });
    expect(rasters).toHaveLength(2);
    expect(rasters[0]).toBe(rasters[1]);
  });

  test('returns null for tasks that are not requested or have no model', async () => {
    const { deps, rasters } = open();
    const image = await picture();
    const unasked = await analyzeImage(deps, { image, objects: OBJECTS }, progress());
    expect([unasked.faces, unasked.objects?.items.length]).toEqual([null, 1]);
    const without = { ...deps, objects: null };
    const missing = await analyzeImage(without, { image, objects: OBJECTS }, progress());
    expect(missing.objects).toBeNull();
    expect(rasters).toHaveLength(1);
  });

  test('embeds regions of the same raster, alone and together with other tasks', async () => {
    const { deps, rasters } = open();
    const faceRegions = [1, 2].map((x) => ({ bbox: { x, y: 0, w: 9, h: 9 }, landmarks: null }));
    const expected = { model: deps.faces?.model, items: [REGION, REGION] };
    const image = await picture();
    const alone = await analyzeImage(deps, { image, faceRegions }, progress());
    expect(alone).toMatchObject({ faces: null, faceRegions: expected, objects: null });
    rasters.length = 0;
    const seen = progress();
    const all = { image, faces: FACES, faceRegions, objects: OBJECTS, renditions: RENDITIONS };
    const { faces, faceRegions: embedded, objects } = await analyzeImage(deps, all, seen);
    expect([faces?.items.length, embedded, objects?.items.length]).toEqual([1, expected, 1]);
    expect(new Set(rasters).size).toBe(1);
    expect(seen.timings.map(({ stage, model }) => `${stage} ${model ?? '-'}`)).toEqual([
      'decode -',
      'embed face-pack',
      'detect object-pack',
      'encode -',
    ]);
  });

  test('returns null for regions without a region, a model or a recognizer', async () => {
    const { deps, rasters } = open();
    const image = await picture();
    const faceRegions = [{ bbox: { x: 1, y: 1, w: 9, h: 9 }, landmarks: null }];
    const regionsOf = async (given: AnalyzeImageDeps, regions = faceRegions) =>
      (await analyzeImage(given, { image, faceRegions: regions }, progress())).faceRegions;
    expect(await regionsOf(deps, [])).toBeNull();
    expect(await regionsOf({ ...deps, faces: null })).toBeNull();
    expect(rasters).toHaveLength(0);
    const { model: active, pipeline } = deps.faces!;
    const blind = { ...pipeline, embedRegions: () => Promise.resolve(null) };
    expect(await regionsOf({ ...deps, faces: { model: active, pipeline: blind } })).toBeNull();
  });

  test('cuts crops from the upright original, whatever the size of the stored source', async () => {
    // Upright, the image is 60 x 80, and the right edge of the camera image is at the bottom.
    const create = { width: 80, height: 60, channels: 3, background: '#000000' } as const;
    const right = { create: { ...create, width: 16, height: 60, background: '#ff0000' } };
    const { data: image } = await sharp({ create })
      .composite([{ input: right, left: 64, top: 0 }])
      .withMetadata({ orientation: 6 })
      .jpeg({ quality: 95 })
      .toUint8Array();
    const { deps } = open();
    const { pipeline, model: active } = deps.faces!;
    const bbox = { x: 20, y: 68, w: 20, h: 8 };
    const found = { ...pipeline, analyze: () => Promise.resolve([{ ...FACE, bbox }]) };
    const {
      image: size,
      source,
      faces,
    } = await analyzeImage(
      { ...deps, faces: { model: active, pipeline: found } },
      { image, faces: FACES, renditions: { ...RENDITIONS, source: { maxSize: 8, quality: 80 } } },
      progress(),
    );
    expect(size).toMatchObject({ width: 60, height: 80 });
    expect(source).toMatchObject({ width: 6, height: 8 });
    // The margin is half of the box's 20 x 8 pixels on each side, but the image ends 4 pixels below
    // the box.
    const { jpeg, ...cropSize } = faces!.items[0]!.crop!;
    expect(cropSize).toEqual({ width: 40, height: 16 });
    const { dominant } = await sharp(jpeg).stats();
    expect([dominant.r > 200, dominant.g < 50, dominant.b < 50]).toEqual([true, true, true]);
  });

  test('encodes the source and a padded crop of each detection', async () => {
    const { deps } = open();
    const request = {
      image: await picture(),
      faces: FACES,
      objects: OBJECTS,
      renditions: RENDITIONS,
    };
    const { source, faces, objects } = await analyzeImage(deps, request, progress());
    expect(source).toMatchObject({ width: 40, height: 30 });
    expect(faces?.items[0]?.crop).toMatchObject({ width: 40, height: 16 });
    expect(objects?.items[0]?.crop).toMatchObject({ width: 15, height: 15 });
    expect(await sharp(source!.jpeg).metadata()).toMatchObject({ format: 'jpeg', width: 40 });
  });

  test('cuts the boxes of the request, without a model and without a source', async () => {
    const { deps } = open();
    const boxes = [
      { x: 10, y: 10, w: 20, h: 8 },
      { x: 79.5, y: 0, w: 0.5, h: 60 },
    ];
    const request = { image: await picture(), renditions: { crops: RENDITIONS.crops, boxes } };
    const analysis = await analyzeImage(
      { ...deps, faces: null, objects: null },
      request,
      progress(),
    );
    expect(analysis).toMatchObject({ faces: null, objects: null, source: null });
    expect(analysis.boxCrops).toMatchObject([
      { width: 40, height: 16 },
      { width: 1, height: 60 },
    ]);
    expect(await sharp(analysis.boxCrops[0]!.jpeg).metadata()).toMatchObject({ format: 'jpeg' });
  });

  test('reports the duration of each stage and the model that ran it', async () => {
    const { deps } = open((observe) => {
      observe('detect', 3);
      observe('embed', 4);
    });
    const seen = progress();
    const request = {
      image: await picture(),
      faces: FACES,
      objects: OBJECTS,
      renditions: RENDITIONS,
    };
    await analyzeImage(deps, request, seen);
    expect(seen.timings).toEqual([
      { stage: 'decode', model: null, milliseconds: expect.any(Number) },
      { stage: 'detect', model: 'face-pack', milliseconds: 3 },
      { stage: 'embed', model: 'face-pack', milliseconds: 4 },
      { stage: 'detect', model: 'object-pack', milliseconds: 7 },
      { stage: 'encode', model: null, milliseconds: expect.any(Number) },
    ]);
  });

  test('waits for all encoders before it fails, because they read its pixels', async () => {
    const { deps } = open();
    const { pipeline, model: active } = deps.faces!;
    // The encoder rejects a crop without a width at once.
    const nowhere = { ...FACE, bbox: { x: 0, y: 0, w: Number.NaN, h: 1 } };
    const found = { ...pipeline, analyze: () => Promise.resolve([nowhere, FACE]) };
    const request = { image: await picture(), faces: FACES, renditions: RENDITIONS };
    // sharp counts images of the whole process, including images of threads that were terminated.
    const before = sharp.counters();
    const analysis = analyzeImage(
      { ...deps, faces: { model: active, pipeline: found } },
      request,
      progress(),
    );
    await expect(analysis).rejects.toThrow();
    const { queue, process } = sharp.counters();
    expect(queue + process).toBeLessThanOrEqual(before.queue + before.process);
  });

  test('holds its pixels until it ends, also on failure', async () => {
    let during = 0;
    const { deps } = open(() => {
      during = deps.budget.inFlight;
      throw new Error('broken model');
    });
    const analysis = analyzeImage(deps, { image: await picture(), faces: FACES }, progress());
    await expect(analysis).rejects.toThrow('broken model');
    expect(during).toBe(80 * 60);
    expect(deps.budget.inFlight).toBe(0);
    await analyzeImage(deps, { image: await picture(), objects: OBJECTS }, progress());
    expect(deps.budget.inFlight).toBe(0);
  });
});

describe('aborting an image analysis', () => {
  const reason = new Error('the caller left');

  test('before it begins prevents decoding', async () => {
    const controller = new AbortController();
    controller.abort(reason);
    const { deps, rasters } = open();
    const request = { image: new Uint8Array([1]), faces: FACES };
    await expect(analyzeImage(deps, request, progress(controller))).rejects.toBe(reason);
    expect(rasters).toHaveLength(0);
  });

  test('takes effect when a pipeline ends a stage', async () => {
    const controller = new AbortController();
    let embedded = false;
    const { deps } = open((observe) => {
      controller.abort(reason);
      observe('detect', 1);
      embedded = true;
    });
    const request = { image: await picture(), faces: FACES, objects: OBJECTS };
    await expect(analyzeImage(deps, request, progress(controller))).rejects.toBe(reason);
    expect(embedded).toBe(false);
    expect(deps.budget.inFlight).toBe(0);
  });

  test('is noticed before the next pipeline when the abort waits for an event loop turn', async () => {
    const controller = new AbortController();
    const { deps, rasters } = open(() => {
      void nextTurn().then(() => controller.abort(reason));
    });
    const request = { image: await picture(), faces: FACES, objects: OBJECTS };
    await expect(analyzeImage(deps, request, progress(controller))).rejects.toBe(reason);
    expect(rasters).toHaveLength(1);
  });
});
