import { describe, expect, test } from '@jest/globals';
import { intersectionOverUnion } from './geometry.ts';

describe('intersectionOverUnion', () => {
  const box = { x: 10, y: 10, w: 20, h: 10 };

  test('is 1 for a box with itself and 0 for boxes that only touch', () => {
    expect(intersectionOverUnion(box, box)).toBe(1);
    expect(intersectionOverUnion(box, { ...box, x: 30 })).toBe(0);
  });

  test('is the share of the common area', () => {
    expect(intersectionOverUnion(box, { ...box, x: 20 })).toBeCloseTo(1 / 3);
  });

  test('is 0 where there is no area', () => {
    expect(intersectionOverUnion({ ...box, w: 0 }, { ...box, w: 0 })).toBe(0);
  });
});
