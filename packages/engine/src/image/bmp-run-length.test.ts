import { describe, expect, test } from '@jest/globals';
import { ImageCorrupt } from '@sightline/core/sources/image-errors';
import { expandRuns } from './bmp-run-length.ts';

const rle8 = { width: 4, height: 2, nibbles: false };
const rle4 = { width: 5, height: 2, nibbles: true };
const expand = (extent: typeof rle8, ...bytes: number[]) => [
  ...expandRuns(Uint8Array.from(bytes), extent),
];

describe('expandRuns', () => {
  test('expands runs, literals and ends of rows', () => {
    expect(expand(rle8, 3, 7, 1, 8, 0, 0, 0, 3, 1, 2, 3, 0, 1, 4, 0, 1)).toEqual([
      7, 7, 7, 8, 1, 2, 3, 4,
    ]);
  });

  test('reads nibbles in order, in runs and in literals', () => {
    expect(expand(rle4, 5, 0x12, 0, 0, 0, 5, 0x34, 0x56, 0x70, 0, 0, 1)).toEqual([
      1, 2, 1, 2, 1, 3, 4, 5, 6, 7,
    ]);
  });

  test('pads literals to an even byte', () => {
    expect(expand(rle4, 0, 5, 0x12, 0x34, 0x50, 0, 0, 0, 5, 0x99, 0, 1)).toEqual([
      1, 2, 3, 4, 5, 9, 9, 9, 9, 9,
    ]);
  });

  test('skipped pixels have index 0', () => {
    expect(expand(rle8, 1, 5, 0, 2, 2, 1, 1, 6, 0, 1)).toEqual([5, 0, 0, 0, 0, 0, 0, 6]);
    expect(expand(rle8, 0, 1)).toEqual(Array(8).fill(0));
  });

  test('drops pixels beyond the end of a row', () => {
    expect(expand(rle8, 9, 5, 0, 0, 1, 6, 0, 1)).toEqual([5, 5, 5, 5, 6, 0, 0, 0]);
  });

  test('does not iterate over pixels beyond a row', () => {
    // An implementation that writes pixel by pixel would take 2.7 billion steps, and the test would
    // time out.
    const runs = new Uint8Array(20 * 2 ** 20).fill(255);
    runs.set([0, 1], runs.length - 2);
    expect(expandRuns(runs, rle8)).toEqual(Uint8Array.of(255, 255, 255, 255, 0, 0, 0, 0));
  });

  test('does not need an end mark after a complete bitmap', () => {
    expect(expand(rle8, 4, 1, 0, 0, 4, 2)).toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
    expect(expand(rle8, 4, 1, 0, 0, 4, 2, 0, 0)).toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
  });

  test.each([
    ['nothing', []],
    ['half a run', [4, 1, 0, 0, 4]],
    ['a missing row', [4, 1, 0, 0]],
    ['half a delta', [0, 2, 1]],
    ['half a literal', [0, 4, 1, 2]],
    ['pixels below the last row', [0, 2, 0, 2, 1, 1]],
  ])('refuses %s', (_, bytes) => {
    expect(() => expand(rle8, ...bytes)).toThrow(ImageCorrupt);
  });
});
