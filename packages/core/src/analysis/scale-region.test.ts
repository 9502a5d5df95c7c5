import { expect, test } from '@jest/globals';
import { scaleRegion } from './scale-region.ts';

const bbox = { x: 100, y: 30, w: 50, h: 60 };

test('scales width and height each by its own ratio', () => {
  const region = { bbox, landmarks: [{ x: 110, y: 33 }] };
  expect(scaleRegion(region, { x: 0.5, y: 2 / 3 })).toEqual({
    bbox: { x: 50, y: 20, w: 25, h: 40 },
    landmarks: [{ x: 55, y: 22 }],
  });
});

test('accepts a region without landmarks', () => {
  expect(scaleRegion({ bbox, landmarks: null }, { x: 1, y: 1 })).toEqual({ bbox, landmarks: null });
});
