import { expect, test } from '@jest/globals';
import { DRAWING, layOutDays } from './day-columns.ts';

const BOTTOM = DRAWING.height - DRAWING.bottom;

test('the bars of a day stand on top of each other, in the height of their counts', () => {
  const { columns } = layOutDays([
    { date: '2026-11-28', counts: [3, 1] },
    { date: '2026-11-29', counts: [0, 4] },
  ]);
  const [first, second] = columns;
  expect(first!.bars.map(({ series }) => series)).toEqual([0, 1]);
  expect(first!.bars[0]!.height).toBeCloseTo(3 * first!.bars[1]!.height);
  expect(first!.bars[1]!.y + first!.bars[1]!.height).toBeCloseTo(first!.bars[0]!.y);
  expect(second!.bars).toHaveLength(1);
  expect(second!.bars[0]!.y + second!.bars[0]!.height).toBeCloseTo(BOTTOM);
  expect(second!.x).toBeGreaterThan(first!.x + first!.width);
});

test('days without anything have no bars, and the scale has whole numbers', () => {
  const { columns, ticks } = layOutDays([{ date: '2026-11-29', counts: [0] }]);
  expect(columns[0]!.bars).toEqual([]);
  expect(ticks.map(({ value }) => value)).toEqual([0, 1]);
});

test('without days there are no columns', () => {
  expect(layOutDays([]).columns).toEqual([]);
});
