import { expect, test } from '@jest/globals';
import { applyAffine, invertAffine } from './affine.ts';

test('the inverse maps a point back', () => {
  const map = { a: 2, b: -0.5, tx: 7, c: 0.25, d: 1.5, ty: -3 };
  const there = applyAffine(map, { x: 11, y: 13 });
  const back = applyAffine(invertAffine(map), there);
  expect(back.x).toBeCloseTo(11, 12);
  expect(back.y).toBeCloseTo(13, 12);
});

test('the inverse of a singular map is the origin', () => {
  const back = invertAffine({ a: 1, b: 2, tx: 5, c: 2, d: 4, ty: 6 });
  expect(applyAffine(back, { x: 3, y: 4 })).toEqual({ x: 0, y: 0 });
});
