import { expect, test } from '@jest/globals';
import { visibleRows } from './visible-rows.ts';

test.each([
  [10_000, { top: 0, height: 480, rowHeight: 48 }, { first: 0, end: 15 }],
  [10_000, { top: 48_000, height: 480, rowHeight: 48 }, { first: 995, end: 1015 }],
  [10_000, { top: 479_520, height: 480, rowHeight: 48 }, { first: 9985, end: 10_000 }],
  [3, { top: 0, height: 480, rowHeight: 48 }, { first: 0, end: 3 }],
  [0, { top: 0, height: 480, rowHeight: 48 }, { first: 0, end: 0 }],
  // The list became shorter than the place of the scroll bar.
  [3, { top: 48_000, height: 480, rowHeight: 48 }, { first: 3, end: 3 }],
])('of %d rows at %j, %j are drawn', (count, position, rows) => {
  expect(visibleRows(count, position)).toEqual(rows);
});
