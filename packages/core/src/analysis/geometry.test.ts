import { describe, expect, test } from '@jest/globals';
import { clampBox, intersectionOverUnion } from './geometry.ts';

describe('intersectionOverUnion', () => {
  const box = { x: 10, y: 10, w: 20, h: 10 };

  test('is 1 for a box with itself and 0 for boxes that only touch', () => {
    expect(intersectionOverUnion(box, box)).toBe(1);
    expect(intersectionOverUnion(box, { ...box, x: 30 })).toBe(0);
  });

  test('is the common area divided by the total area', () => {
    expect(intersectionOverUnion(box, { ...box, x: 20 })).toBeCloseTo(1 / 3);
  });

  test('is 0 for boxes without area', () => {
    expect(intersectionOverUnion({ ...box, w: 0 }, { ...box, w: 0 })).toBe(0);
  });
});

describe('clampBox', () => {
  const image = { width: 100, height: 50 };

  test('keeps what lies inside the image', () => {
    const inside = { x: 1.5, y: 2, w: 98.5, h: 48 };
    expect(clampBox(inside, image)).toEqual(inside);
    expect(clampBox({ x: -10, y: 40, w: 30, h: 30 }, image)).toEqual({ x: 0, y: 40, w: 20, h: 10 });
    expect(clampBox({ x: -10, y: -10, w: 500, h: 500 }, image)).toEqual({
      x: 0,
      y: 0,
      w: 100,
      h: 50,
    });
  });

  test.each([
    ['left of', { x: -30, y: 0, w: 20, h: 20 }],
    ['right of', { x: 100, y: 0, w: 20, h: 20 }],
    ['far from', { x: 1e300, y: 0, w: 1e300, h: 20 }],
  ])('returns no width for a box %s the image', (_, box) => {
    expect(clampBox(box, image)).toMatchObject({ w: 0 });
  });
});
