import { expect, test } from '@jest/globals';
import { quartilesCell, spreadCell } from './cells.ts';
import { median, percentile } from './statistics.ts';

test('percentiles lie between the values by their distance', () => {
  const values = [40, 10, 30, 20];
  expect(percentile(values, 0)).toBe(10);
  expect(percentile(values, 0.5)).toBe(25);
  expect(percentile(values, 0.9)).toBeCloseTo(37);
  expect(percentile(values, 1)).toBe(40);
  expect(percentile([7], 0.95)).toBe(7);
});

test('the median of an odd number is one of them', () => {
  expect(median([9, 1, 5])).toBe(5);
});

test('a cell names the extremes or the quartiles', () => {
  expect(spreadCell([0.97, 0.95, 0.99])).toBe('0.97 (0.95 to 0.99)');
  expect(quartilesCell([1, 2, 3, 4, 5])).toBe('3.0 (2.0 to 4.0)');
});
