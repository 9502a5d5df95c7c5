import { describe, expect, test } from '@jest/globals';
import {
  cellAt,
  cellsInView,
  contentTopAt,
  contentTopOf,
  contentTopShowing,
  isFastScroll,
  layoutGrid,
  MAX_CELLS,
  MAX_SCROLL_HEIGHT,
  movedIndex,
  rowWindowAt,
  scrollTopOf,
} from './grid-geometry.ts';

const SQUARE = { minWidth: 160, ratio: 1, textHeight: 0 };
const layoutOf = (total: number, width = 1000, height = 800) =>
  layoutGrid(SQUARE, { width, height, total });

describe('the layout of a grid', () => {
  test('has as many cells beside each other as fit', () => {
    expect(layoutOf(100)).toMatchObject({ columns: 6, rows: 17, cellWidth: 160, rowHeight: 168 });
    expect(layoutOf(100, 327)).toMatchObject({ columns: 1, cellWidth: 327 });
    expect(layoutOf(100, 328)).toMatchObject({ columns: 2, cellWidth: 160 });
  });

  test('has one cell in a row where not even one fits', () => {
    expect(layoutOf(3, 90)).toMatchObject({ columns: 1, rows: 3, cellWidth: 90 });
  });

  test('without cells has no height', () => {
    expect(layoutOf(0)).toMatchObject({ rows: 0, contentHeight: 0, scrollHeight: 0 });
  });

  test('never has more cells in the document than allowed', () => {
    for (const [width, height] of [
      [360, 640],
      [1440, 900],
      [3840, 2160],
      [7680, 4320],
    ] as const) {
      const layout = layoutGrid({ ...SQUARE, minWidth: 96 }, { width, height, total: 1_000_000 });
      expect(layout.columns * layout.slots).toBeLessThanOrEqual(MAX_CELLS);
    }
  });
});

describe('a scrolled grid', () => {
  test('of moderate height is scrolled as it is', () => {
    const layout = layoutOf(6000);
    expect(layout.scrollHeight).toBe(168_000);
    expect(contentTopOf(layout, 12_345)).toBe(12_345);
    expect(scrollTopOf(layout, 12_345)).toBe(12_345);
  });

  test('of ten million cells reaches its first and its last row', () => {
    const layout = layoutOf(10_000_000);
    expect(layout.scrollHeight).toBe(MAX_SCROLL_HEIGHT);
    expect(contentTopOf(layout, 0)).toBe(0);
    const end = contentTopOf(layout, MAX_SCROLL_HEIGHT - 800);
    expect(end).toBe(layout.contentHeight - 800);
    expect(cellsInView(layout, end, 10_000_000)?.last).toBe(9_999_999);
    const { first, count } = rowWindowAt(layout, end);
    expect(first + count).toBe(layout.rows);
  });

  test('is mapped in proportion both ways', () => {
    const layout = layoutOf(10_000_000);
    for (const top of [0, 1, 99_999, 140_000_000]) {
      expect(contentTopOf(layout, scrollTopOf(layout, top))).toBeCloseTo(top, 3);
    }
  });

  test('beyond its ends stays at them', () => {
    const layout = layoutOf(100);
    expect(contentTopOf(layout, -50)).toBe(0);
    expect(contentTopOf(layout, 1_000_000)).toBe(layout.contentHeight - 800);
    expect(rowWindowAt(layout, 1_000_000)).toMatchObject({ first: 9, count: 8 });
  });

  test('that is shorter than the view has all rows in the document', () => {
    expect(rowWindowAt(layoutOf(10), 0)).toEqual({ first: 0, count: 2, base: 0 });
    expect(cellsInView(layoutOf(10), 0, 10)).toEqual({ first: 0, last: 9 });
    expect(cellsInView(layoutOf(0), 0, 0)).toBeNull();
  });

  test('scrolls no farther than a row needs', () => {
    const layout = layoutOf(1000);
    expect(contentTopShowing(layout, 336, 12)).toBe(336);
    expect(contentTopShowing(layout, 336, 6)).toBe(168);
    expect(contentTopShowing(layout, 0, 30)).toBe(6 * 168 - 800);
  });

  test('is fast from one screen in 0.6 s on', () => {
    const layout = layoutOf(1000);
    expect(isFastScroll(layout, 800, 599)).toBe(true);
    expect(isFastScroll(layout, -800, 599)).toBe(true);
    expect(isFastScroll(layout, 800, 601)).toBe(false);
  });

  test('keeps its first cell in another layout', () => {
    const [wide, narrow] = [layoutOf(10_000), layoutOf(10_000, 700)];
    const cell = cellAt(wide, 168 * 100.5);
    expect(cell).toBe(603);
    expect(cellAt(narrow, contentTopAt(narrow, cell))).toBeCloseTo(603);
    expect(contentTopAt(narrow, cell)).not.toBeCloseTo(168 * 100.5);
  });
});

describe('the keys of a grid', () => {
  const layout = layoutOf(100);
  const moved = (from: number, move: Parameters<typeof movedIndex>[2]) =>
    movedIndex(layout, { from, total: 100 }, move);

  test('lead to the neighbors', () => {
    expect(moved(8, 'left')).toBe(7);
    expect(moved(8, 'right')).toBe(9);
    expect(moved(8, 'up')).toBe(2);
    expect(moved(8, 'down')).toBe(14);
  });

  test('lead no farther than the ends', () => {
    expect(moved(0, 'left')).toBe(0);
    expect(moved(2, 'up')).toBe(2);
    expect(moved(99, 'right')).toBe(99);
    expect(moved(95, 'down')).toBe(99);
  });

  test('lead to the ends of the row and of the grid, and a page on', () => {
    expect(moved(8, 'rowStart')).toBe(6);
    expect(moved(8, 'rowEnd')).toBe(11);
    expect(moved(98, 'rowEnd')).toBe(99);
    expect(moved(8, 'start')).toBe(0);
    expect(moved(8, 'end')).toBe(99);
    expect(moved(8, 'pageDown')).toBe(32);
    expect(moved(32, 'pageUp')).toBe(8);
    expect(moved(8, 'pageUp')).toBe(2);
  });
});
