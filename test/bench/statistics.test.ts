import { expect, test } from '@jest/globals';
import { median, percentile, spreadOf } from './statistics.ts';

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

test('the spread names the extremes', () => {
  expect(spreadOf([0.97, 0.95, 0.99])).toEqual({ median: 0.97, least: 0.95, greatest: 0.99 });
});
