import { expect, test } from '@jest/globals';
import { placeWindow } from './window-geometry.ts';

test.each([
  { length: 7, extent: 3, stride: 1, placement: { before: 1, after: 1, count: 7 } },
  { length: 7, extent: 4, stride: 1, placement: { before: 1, after: 2, count: 7 } },
  { length: 224, extent: 3, stride: 2, placement: { before: 0, after: 1, count: 112 } },
  { length: 7, extent: 3, stride: 2, placement: { before: 1, after: 1, count: 4 } },
  { length: 7, extent: 1, stride: 3, placement: { before: 0, after: 0, count: 3 } },
])(
  'SAME: $length values, window of $extent, stride $stride',
  ({ length, placement, ...window }) => {
    expect(placeWindow(length, window, 'SAME')).toEqual(placement);
  },
);

test.each([
  { length: 7, extent: 3, stride: 1, count: 5 },
  { length: 7, extent: 3, stride: 2, count: 3 },
  { length: 8, extent: 3, stride: 2, count: 3 },
  { length: 3, extent: 3, stride: 2, count: 1 },
  { length: 2, extent: 3, stride: 1, count: 0 },
])('VALID: $length values, window of $extent, stride $stride', ({ length, count, ...window }) => {
  expect(placeWindow(length, window, 'VALID')).toEqual({ before: 0, after: 0, count });
});
