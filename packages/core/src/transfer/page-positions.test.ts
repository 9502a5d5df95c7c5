import { expect, test } from '@jest/globals';
import { pagePositions } from './page-positions.ts';

const pagesOf = (counts: readonly number[]) =>
  [
    ...pagePositions(counts.map((detectionCount, index) => ({ id: index + 1, detectionCount }))),
  ].map((page) => page.length);

test('a page has at most 100 images', () => {
  expect(pagesOf([])).toEqual([]);
  expect(pagesOf(Array.from({ length: 250 }, () => 1))).toEqual([100, 100, 50]);
});

test('a page has at most 1000 detections, unless it is a single image', () => {
  expect(pagesOf([600, 400, 1])).toEqual([2, 1]);
  expect(pagesOf([5000, 0, 5000, 1])).toEqual([1, 1, 1, 1]);
});
