import { describe, expect, test } from '@jest/globals';
import { resizeArea } from './resize-area.ts';
import { resizeBilinear, type Size } from './resize-bilinear.ts';
import { fnv1a, noise } from './testing/noise.ts';

function gray(rows: readonly (readonly number[])[]) {
  const data = Uint8Array.from(rows.flat().flatMap((value) => [value, value, value]));
  return { data, width: rows[0]!.length, height: rows.length };
}

function resize(source: Parameters<typeof resizeArea>[0], size: Size): Uint8Array {
  const pixels = new Uint8Array(3 * size.width * size.height);
  resizeArea(source, size, { pixels, rowStride: 3 * size.width, offset: 0 });
  return pixels;
}

const everyThird = (pixels: Uint8Array) => Array.from(pixels).filter((_, i) => i % 3 === 0);

describe('resizeArea', () => {
  // The expected values are those of cv2.resize with INTER_AREA.
  test('averages everything under a pixel, including parts of pixels', () => {
    const row = gray([[0, 10, 20, 30, 40, 50, 255]]);
    expect(everyThird(resize(row, { width: 3, height: 1 }))).toEqual([7, 30, 136]);
    const square = gray([
      [0, 1, 10, 20],
      [1, 0, 30, 41],
      [100, 7, 9, 200],
    ]);
    expect(everyThird(resize(square, { width: 3, height: 2 }))).toEqual([0, 9, 24, 51, 10, 114]);
  });

  test.each([
    { from: { width: 37, height: 23 }, to: { width: 20, height: 11 }, checksum: 3222133210 },
    { from: { width: 120, height: 90 }, to: { width: 33, height: 17 }, checksum: 3828161442 },
    { from: { width: 97, height: 101 }, to: { width: 96, height: 100 }, checksum: 3474680542 },
    { from: { width: 64, height: 48 }, to: { width: 32, height: 24 }, checksum: 1596890849 },
    { from: { width: 100, height: 100 }, to: { width: 99, height: 1 }, checksum: 725726204 },
  ])('agrees with OpenCV on noise, $from to $to', ({ from, to, checksum }) => {
    expect(fnv1a(resize(noise(from.width, from.height), to))).toBe(checksum);
  });

  test('copies an image of the same size', () => {
    const source = noise(9, 7);
    expect(resize(source, source)).toEqual(source.data);
  });

  test('preserves a uniform color at any ratio', () => {
    for (const value of [0, 1, 127, 254, 255]) {
      const plain = { data: new Uint8Array(3 * 331 * 97).fill(value), width: 331, height: 97 };
      expect(new Set(resize(plain, { width: 113, height: 31 }))).toEqual(new Set([value]));
    }
  });

  test('interpolates if a side grows', () => {
    const source = noise(20, 10);
    const size = { width: 30, height: 5 };
    expect(resize(source, size)).toEqual(resizeBilinear(source, size));
  });

  test('writes into a part of a larger canvas', () => {
    const pixels = new Uint8Array(3 * 3 * 2).fill(9);
    const size = { width: 2, height: 1 };
    resizeArea(gray([[50, 50, 50, 50]]), size, { pixels, rowStride: 9, offset: 12 });
    expect(everyThird(pixels)).toEqual([9, 9, 9, 9, 50, 50]);
  });
});
