import { expect, test } from '@jest/globals';
import { roundHalfEven } from './round-half-even.ts';

test('halves go to the even neighbor, everything else to the nearest integer', () => {
  const values = [0.5, 1.5, 2.5, -0.5, -1.5, 0.49, 0.51, -0.51, 7];
  expect(values.map((value) => roundHalfEven(value) + 0)).toEqual([0, 2, 2, 0, -2, 0, 1, -1, 7]);
});
