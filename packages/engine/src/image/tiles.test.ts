import { describe, expect, test } from '@jest/globals';
import type { Size } from '../math/resize-bilinear.ts';
import { cutTile, isWithinTile, planTiles, type Tile } from './tiles.ts';

const size = (width: number, height: number): Size => ({ width, height });

/** The parts of one axis that the tiles cover, as [start, end], without repetitions. */
function axis(tiles: readonly Tile[], start: 'left' | 'top', length: 'width' | 'height') {
  const parts = new Map(tiles.map((tile) => [tile[start], tile[start] + tile[length]]));
  return [...parts].sort(([a], [b]) => a - b);
}

describe('planTiles', () => {
  test.each([
    size(4032, 3024),
    size(3024, 4032),
    size(6000, 4000),
    size(4912, 7360),
    size(8160, 6144),
    size(8192, 2731),
    size(900, 300),
    size(1, 1),
  ])('leaves a photo of a usual shape whole: %j', (picture) => {
    expect(planTiles(picture, 640)).toEqual([]);
    expect(planTiles(picture, 1280)).toEqual([]);
  });

  test('leaves a strip whole that is too narrow to show anything', () => {
    expect(planTiles(size(65_535, 15), 640)).toEqual([]);
  });

  test('leaves a strip whole that is smaller than the input', () => {
    expect(planTiles(size(1280, 10), 1280)).toEqual([]);
  });

  test('cuts a long picture across, at most twice as long as the picture is high', () => {
    const tiles = planTiles(size(4950, 900), 1280);
    expect(tiles.map(({ top, height }) => [top, height])).toEqual(tiles.map(() => [0, 900]));
    expect(axis(tiles, 'left', 'width')).toEqual([
      [0, 1800],
      [1050, 2850],
      [2100, 3900],
      [3150, 4950],
    ]);
    const turned = planTiles(size(900, 4950), 1280);
    expect(axis(turned, 'top', 'height')).toEqual(axis(tiles, 'left', 'width'));
  });

  test.each([
    [size(12_000, 900), 640],
    [size(8193, 4000), 1280],
    [size(65_535, 762), 1280],
    [size(65_535, 16), 640],
    [size(8400, 5900), 1280],
    [size(6000, 8300), 640],
  ])(
    'covers %j with tiles that overlap and that a network of %i shrinks to a half at most',
    (picture, side) => {
      const tiles = planTiles(picture, side);
      for (const parts of [axis(tiles, 'left', 'width'), axis(tiles, 'top', 'height')]) {
        expect(parts[0]![0]).toBe(0);
        for (const [i, [start, end]] of parts.entries()) {
          expect(end - start).toBeLessThanOrEqual(2 * side);
          if (i > 0) expect(parts[i - 1]![1] - start).toBeGreaterThanOrEqual((end - start) / 4 - 1);
        }
      }
      expect(Math.max(...tiles.map(({ left, width }) => left + width))).toBe(picture.width);
      expect(Math.max(...tiles.map(({ top, height }) => top + height))).toBe(picture.height);
      // The number is bounded by the pixels, and for a thin strip by its length.
      expect(tiles.length).toBeLessThan(140);
    },
  );
});

test('cutTile copies the rows of the tile', () => {
  const data = Uint8Array.from({ length: 3 * 5 * 4 }, (_, i) => i);
  const part = cutTile({ data, width: 5, height: 4 }, { left: 2, top: 1, width: 2, height: 2 });
  expect(part).toMatchObject({ width: 2, height: 2 });
  expect([...part.data]).toEqual([21, 22, 23, 24, 25, 26, 36, 37, 38, 39, 40, 41]);
});

describe('isWithinTile', () => {
  const picture = size(3000, 1000);
  const middle = { left: 1000, top: 0, width: 1000, height: 1000 };
  const box = (...[x1, y1, x2, y2]: [number, number, number, number]) => ({ x1, y1, x2, y2 });

  test('rejects boxes at the edges inside the picture', () => {
    expect(isWithinTile(box(1011, 300, 1989, 500), middle, picture)).toBe(true);
    expect(isWithinTile(box(1010, 300, 1500, 500), middle, picture)).toBe(false);
    expect(isWithinTile(box(1500, 300, 1990, 500), middle, picture)).toBe(false);
  });

  test('accepts boxes at the edges of the picture', () => {
    expect(isWithinTile(box(1500, -20, 1800, 1020), middle, picture)).toBe(true);
    const first = { ...middle, left: 0 };
    expect(isWithinTile(box(-5, 300, 200, 500), first, picture)).toBe(true);
  });
});
