import { expect, test } from '@jest/globals';
import { closestBox } from './closest-box.ts';

const at = (x: number) => ({ bbox: { x, y: 0, w: 10, h: 10 } });

test.each([
  [[at(0), at(20)], 1, 0],
  [[at(0), at(20)], 19, 20],
  [[at(0), at(2)], 2, 2],
  [[at(0)], 8, undefined],
  [[at(0)], 50, undefined],
  [[], 0, undefined],
])('of %j, the closest to %d is at %p', (items, x, expected) => {
  expect(closestBox(items, at(x).bbox)?.bbox.x).toBe(expected);
});
