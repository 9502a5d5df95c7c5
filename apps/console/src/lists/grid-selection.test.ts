import { expect, test } from '@jest/globals';
import { EVERYTHING, isSelected, NOTHING, selectedCount, withRows } from './grid-selection.ts';

test('nothing is selected at first', () => {
  expect(isSelected(NOTHING, 1)).toBe(false);
  expect(selectedCount(NOTHING, 10)).toBe(0);
});

test('single rows are selected and taken out', () => {
  const some = withRows(withRows(NOTHING, [1, 2, 3], true), [2], false);
  expect([1, 2, 3].map((id) => isSelected(some, id))).toEqual([true, false, true]);
  expect(selectedCount(some, 10)).toBe(2);
});

test('everything is all that match but those that were taken out', () => {
  const most = withRows(EVERYTHING, [5, 6], false);
  expect(isSelected(most, 5)).toBe(false);
  expect(isSelected(most, 7)).toBe(true);
  expect(selectedCount(most, 812_000)).toBe(811_998);
  expect(selectedCount(withRows(most, [5], true), 812_000)).toBe(811_999);
});
