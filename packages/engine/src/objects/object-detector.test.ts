import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { intersectionOverUnion } from '@sightline/core/analysis/geometry';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { shared } from '@sightline/test/support/fixtures/shared';
import { decodePhoto } from '../faces/testing/decode-photo.ts';
import type { Raster } from '../image/raster.ts';
import type { FloatTensor, ModelSession } from '../onnx/session.ts';
import { openFile } from '../onnx/testing/open-file.ts';
import { COCO_CLASSES } from '@sightline/core/models/coco-classes';
import type { DetectedObject } from './detected-object.ts';
import { ObjectDetector, type ObjectDetectorSpec } from './object-detector.ts';
import { ObjectPipeline } from './object-pipeline.ts';

class FixedNet implements ModelSession {
  inputs: ModelSession['inputs'] = [{ name: 'images', dims: [1, 3, 64, 64] }];
  readonly outputs: { name: string; dims: number[] }[];
  readonly #results: Record<string, FloatTensor>;
  fed: FloatTensor | null = null;

  constructor(...outputs: FloatTensor[]) {
    const named = outputs.map((output, index) => [`output${index}`, output] as const);
    this.outputs = named.map(([name]) => ({ name, dims: [] }));
    // The order is reversed, because the runtime does not guarantee an order.
    this.#results = Object.fromEntries(named.toReversed());
  }

  run(feeds: Readonly<Record<string, FloatTensor>>): Promise<Record<string, FloatTensor>> {
    // The input is copied because the caller uses its memory again.
    this.fed = { ...feeds.images!, data: feeds.images!.data.slice() };
    // The results are copied because the caller frees their memory.
    const copies = Object.entries(this.#results).map(
      ([name, { data, dims }]) => [name, { data: data.slice(), dims }] as const,
    );
    return Promise.resolve(Object.fromEntries(copies));
  }

  [Symbol.asyncDispose]() {
    return Promise.resolve();
  }
}

interface Golden {
  readonly objects: Record<
    string,
    {
      readonly class_id: number;
      readonly score: number;
      readonly bbox_xyxy: readonly [number, number, number, number];
    }[]
  >;
}

const SPEC: ObjectDetectorSpec = {
  architecture: 'yolov5',
  size: { width: 64, height: 64 },
  preprocess: { mean: [0, 0, 0], std: [255, 255, 255], colorOrder: 'rgb' },
  classes: ['cat', 'dog'],
};
const ALL = { confidenceThreshold: 0.25, classFilter: [] };

/**
 * An image twice as wide as high. Scaled by half, it leaves margins of 16 pixels above and below.
 */
const WIDE: Raster = {
  data: new Uint8Array(3 * 128 * 64).map((_, i) => [200, 100, 50][i % 3]!),
  width: 128,
  height: 64,
};

function rowsNet(...rows: number[][]): FixedNet {
  return new FixedNet({ data: Float32Array.from(rows.flat()), dims: [1, rows.length, 7] });
}

describe('ObjectDetector', () => {
  test('maps boxes back to the image and clamps them', async () => {
    const net = rowsNet([32, 32, 20, 10, 1, 1, 0], [60, 50, 20, 20, 1, 0, 0.5]);
    expect(await new ObjectDetector(net, SPEC).detect(WIDE, ALL)).toEqual([
      { bbox: { x: 44, y: 22, w: 40, h: 20 }, confidence: 1, classId: 0, className: 'cat' },
      { bbox: { x: 100, y: 48, w: 28, h: 16 }, confidence: 0.5, classId: 1, className: 'dog' },
    ]);
  });

  test('drops boxes that are only in the margin', async () => {
    const net = rowsNet([32, 5, 20, 10, 1, 1, 0], [32, 32, NaN, 10, 1, 1, 0]);
    expect(await new ObjectDetector(net, SPEC).detect(WIDE, ALL)).toEqual([]);
  });

  test('keeps the requested classes', async () => {
    const net = rowsNet([32, 32, 20, 10, 1, 1, 0], [32, 32, 20, 10, 1, 0, 0.5]);
    const detector = new ObjectDetector(net, SPEC);
    const detect = async (classFilter: string[]) =>
      (await detector.detect(WIDE, { ...ALL, classFilter })).map(({ className }) => className);
    expect(await detect([])).toEqual(['cat', 'dog']);
    expect(await detect(['dog', 'cow'])).toEqual(['dog']);
    expect(await detect(['cow'])).toEqual([]);
  });

  test('feeds YOLO with the image between gray margins, RGB in 0..1', async () => {
    const net = rowsNet([0, 0, 0, 0, 0, 0, 0]);
    await new ObjectDetector(net, SPEC).detect(WIDE, ALL);
    const { data, dims } = net.fed!;
    expect(dims).toEqual([1, 3, 64, 64]);
    const at = (channel: number, y: number) => Math.round(data[channel * 64 * 64 + y * 64]! * 255);
    expect([0, 15, 16, 47, 48].map((y) => at(0, y))).toEqual([114, 114, 200, 200, 114]);
    expect([0, 1, 2].map((channel) => at(channel, 32))).toEqual([200, 100, 50]);
  });

  test.each<[string, Partial<ObjectDetectorSpec>, number[]]>([
    ['is cut to the image', {}, [1, 3, 32, 64]],
    ['keeps its size if the pack asks for it', { letterbox: 'square' }, [1, 3, 64, 64]],
    ['keeps its size if the image is stretched', { architecture: 'centernet' }, [1, 3, 64, 64]],
  ])('an input of any size %s', async (_what, spec, dims) => {
    const scores = { data: new Float32Array(2), dims: [1, 2, 1, 1] };
    const net =
      spec.architecture === 'centernet'
        ? new FixedNet(scores, { data: new Float32Array(4), dims: [1, 4, 1, 1] })
        : rowsNet([32, 16, 20, 10, 1, 1, 0]);
    net.inputs = [{ name: 'images', dims: [1, 3, null, null] }];
    const found = await new ObjectDetector(net, { ...SPEC, ...spec }).detect(WIDE, ALL);
    expect(net.fed!.dims).toEqual(dims);
    if (dims[2] === 32) expect(found[0]!.bbox).toEqual({ x: 44, y: 22, w: 40, h: 20 });
  });

  test('feeds YOLOX with the image in the upper left corner, BGR in 0..255', async () => {
    const net = rowsNet([32, 16, 20, 10, 1, 1, 0]);
    const preprocess = { mean: [0, 0, 0], std: [1, 1, 1], colorOrder: 'bgr' } as const;
    const spec = { ...SPEC, architecture: 'yolox_decoded', preprocess } as const;
    expect(await new ObjectDetector(net, spec).detect(WIDE, ALL)).toMatchObject([
      { bbox: { x: 44, y: 22, w: 40, h: 20 } },
    ]);
    const at = (channel: number, y: number) => net.fed!.data[channel * 64 * 64 + y * 64];
    expect([0, 31, 32].map((y) => at(0, y))).toEqual([50, 50, 114]);
    expect([0, 1, 2].map((channel) => at(channel, 0))).toEqual([50, 100, 200]);
  });

  test('feeds CenterNet with the stretched image, and scales its boxes by both axes', async () => {
    // The network has two classes over a grid of 16x16 cells. An object of the second class is in
    // cell (8, 8).
    const scores = { data: new Float32Array(2 * 256), dims: [1, 2, 16, 16] };
    const edges = { data: new Float32Array(4 * 256).fill(6), dims: [1, 4, 16, 16] };
    scores.data[256 + 8 * 16 + 8] = 0.5;
    const net = new FixedNet(scores, edges);
    const preprocess = { mean: [0, 0, 0], std: [1, 1, 1], colorOrder: 'rgb' } as const;
    const spec = { ...SPEC, architecture: 'centernet', preprocess } as const;
    expect(await new ObjectDetector(net, spec).detect(WIDE, ALL)).toEqual([
      { bbox: { x: 52, y: 26, w: 24, h: 12 }, confidence: 0.5, classId: 1, className: 'dog' },
    ]);
    const at = (channel: number, y: number) => net.fed!.data[channel * 64 * 64 + y * 64];
    expect([0, 31, 63].map((y) => at(0, y))).toEqual([200, 200, 200]);
  });

  test('refuses a CenterNet with one output', async () => {
    const net = new FixedNet({ data: new Float32Array(2 * 256), dims: [1, 2, 16, 16] });
    const detector = new ObjectDetector(net, { ...SPEC, architecture: 'centernet' });
    await expect(detector.detect(WIDE, ALL)).rejects.toThrow('A CenterNet head needs two outputs');
  });

  test('refuses an output that does not fit the class names', async () => {
    const detector = new ObjectDetector(rowsNet([0, 0, 0, 0, 0, 0, 0]), {
      ...SPEC,
      classes: ['cat'],
    });
    await expect(detector.detect(WIDE, ALL)).rejects.toThrow(
      'The network has 2 classes, but 1 class names are given.',
    );
  });
});

describeWithShared('ObjectDetector with YOLOv8n', () => {
  let session: ModelSession;
  let pipeline: ObjectPipeline;

  beforeAll(async () => {
    session = await openFile(shared('packs/yolov8n/yolov8n_int8.onnx'));
    const size = { width: 640, height: 640 };
    const spec = { ...SPEC, architecture: 'yolov8', size, classes: COCO_CLASSES } as const;
    pipeline = new ObjectPipeline(new ObjectDetector(session, spec));
  });
  afterAll(() => session[Symbol.asyncDispose]());

  async function find(photo: string, classFilter: string[] = []) {
    const stages: string[] = [];
    const objects = await pipeline.analyze(
      await decodePhoto(shared('photos/objects', photo)),
      { confidenceThreshold: 0.25, classFilter },
      (stage) => stages.push(stage),
    );
    expect(stages).toEqual(['detect']);
    return objects;
  }

  function count(objects: readonly DetectedObject[]): Record<string, number> {
    const counts = Map.groupBy(objects, ({ className }) => className);
    return Object.fromEntries([...counts].map(([name, { length }]) => [name, length]));
  }

  test('finds the bus and the four people', async () => {
    const objects = await find('bus.jpg');
    expect(count(objects)).toEqual({ person: 4, bus: 1 });
    const scores = objects.map(({ confidence }) => confidence);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    for (const { bbox } of objects) {
      expect(bbox.x).toBeGreaterThanOrEqual(0);
      expect(bbox.x + bbox.w).toBeLessThanOrEqual(810);
      expect(bbox.y + bbox.h).toBeLessThanOrEqual(1080);
    }
  });

  test('finds the dog, the bicycle and the truck', async () => {
    expect(count(await find('dog.jpg'))).toMatchObject({ dog: 1, bicycle: 1, truck: 1 });
  });

  test('finds nothing but horses', async () => {
    const found = count(await find('horses.jpg'));
    expect(Object.keys(found)).toEqual(['horse']);
    expect(found.horse).toBeGreaterThanOrEqual(3);
  });

  test('finds only the requested class', async () => {
    expect(count(await find('bus.jpg', ['bus', 'train']))).toEqual({ bus: 1 });
  });

  test('agrees with another network on clearly visible objects', async () => {
    const golden = JSON.parse(readFileSync(shared('golden/starter.json'), 'utf8')) as Golden;
    for (const [photo, expected] of Object.entries(golden.objects)) {
      const found = await find(photo);
      for (const { class_id, bbox_xyxy } of expected.filter(({ score }) => score > 0.5)) {
        const [x1, y1, x2, y2] = bbox_xyxy;
        const box = { x: x1, y: y1, w: x2 - x1, h: y2 - y1 };
        const best = found
          .filter(({ classId }) => classId === class_id)
          .map(({ bbox }) => intersectionOverUnion(bbox, box));
        expect(Math.max(...best)).toBeGreaterThan(0.7);
      }
    }
  });
});
