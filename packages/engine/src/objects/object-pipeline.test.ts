import { expect, test } from '@jest/globals';
import type { Raster } from '../image/raster.ts';
import { ObjectPipeline } from './object-pipeline.ts';

const DOG = { confidence: 0.8, classId: 0, className: 'dog' };
const ALL = { confidenceThreshold: 0.25, classFilter: [] };

function pipelineOf(boxes: (part: Raster, run: number) => readonly number[][]) {
  const seen: number[] = [];
  const pipeline = new ObjectPipeline({
    size: { width: 640, height: 640 },
    detect(part) {
      const found = boxes(part, seen.push(part.width) - 1);
      return Promise.resolve(
        found.map(([x, y, w, h]) => ({ ...DOG, bbox: { x: x!, y: y!, w: w!, h: h! } })),
      );
    },
  });
  const find = async (width: number, height: number) => {
    const raster = { data: new Uint8Array(3 * width * height), width, height };
    const objects = await pipeline.analyze(raster, ALL, () => undefined);
    return objects.map(({ bbox }) => bbox.x);
  };
  return { seen, find };
}

test('a photo of a usual shape is searched once', async () => {
  const { seen, find } = pipelineOf(() => [[10, 20, 30, 40]]);
  expect(await find(1200, 800)).toEqual([10]);
  expect(seen).toEqual([1200]);
});

test('a long picture is searched in tiles, too, without what a tile cuts off', async () => {
  // The tiles of 1280 pixels begin at 0, 880, 1760, 2640 and 3520. The object at 900 is in the first two.
  const { seen, find } = pipelineOf((_, run) => {
    if (run === 0) return [[3000, 20, 60, 40]];
    if (run === 1) return [[900, 20, 60, 40]];
    return run === 2
      ? [
          [22, 20, 60, 40],
          [0, 300, 60, 40],
        ]
      : [];
  });
  expect(await find(4800, 640)).toEqual([3000, 900]);
  expect(seen).toEqual([4800, 1280, 1280, 1280, 1280, 1280]);
});
