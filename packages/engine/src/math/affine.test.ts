import { expect, test } from '@jest/globals';
import { type Affine, invertAffine } from './affine.ts';

function apply({ a, b, tx, c, d, ty }: Affine, x: number, y: number) {
  return { x: a * x + b * y + tx, y: c * x + d * y + ty };
}

test('the inverse maps a point back', () => {
  const map = { a: 2, b: -0.5, tx: 7, c: 0.25, d: 1.5, ty: -3 };
  const there = apply(map, 11, 13);
  const back = apply(invertAffine(map), there.x, there.y);
  expect(back.x).toBeCloseTo(11, 12);
  expect(back.y).toBeCloseTo(13, 12);
});

test('the inverse of a singular map is the origin', () => {
  const back = invertAffine({ a: 1, b: 2, tx: 5, c: 2, d: 4, ty: 6 });
  expect(apply(back, 3, 4)).toEqual({ x: 0, y: 0 });
});
