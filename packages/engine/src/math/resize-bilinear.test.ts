import { describe, expect, test } from '@jest/globals';
import { fnv1a, noise } from './testing/noise.ts';
import { resizeBilinear } from './resize-bilinear.ts';

function gray(rows: readonly (readonly number[])[]) {
  const data = Uint8Array.from(rows.flat().flatMap((value) => [value, value, value]));
  return { data, width: rows[0]!.length, height: rows.length };
}

/** Returns every third byte, in rows. */
function rowsOf(pixels: Uint8Array, width: number): number[][] {
  const values = Array.from(pixels).filter((_, index) => index % 3 === 0);
  return Array.from({ length: values.length / width }, (_, row) =>
    values.slice(row * width, (row + 1) * width),
  );
}

/** Checksums of the output of cv2.resize (OpenCV 4.10 to 5.0) for the noise of `noise`. */
const CHECKSUMS = [
  { from: { width: 37, height: 23 }, to: { width: 64, height: 40 }, checksum: 3453556611 },
  { from: { width: 64, height: 48 }, to: { width: 32, height: 24 }, checksum: 1596890849 },
  { from: { width: 50, height: 50 }, to: { width: 25, height: 40 }, checksum: 1571940983 },
  { from: { width: 120, height: 90 }, to: { width: 33, height: 17 }, checksum: 1189717619 },
  { from: { width: 61, height: 7 }, to: { width: 7, height: 61 }, checksum: 964900268 },
  { from: { width: 97, height: 101 }, to: { width: 96, height: 100 }, checksum: 2437200209 },
];

describe('resizeBilinear', () => {
  test('copies an image of the same size', () => {
    const source = { data: Uint8Array.from({ length: 36 }, (_, i) => i * 7), width: 4, height: 3 };
    expect(resizeBilinear(source, { width: 4, height: 3 })).toEqual(source.data);
  });

  // The expected values are those of cv2.resize.
  test('interpolates between pixel centers and repeats the edge when enlarging', () => {
    const source = gray([
      [0, 100],
      [200, 255],
    ]);
    expect(rowsOf(resizeBilinear(source, { width: 4, height: 4 }), 4)).toEqual([
      [0, 25, 75, 100],
      [50, 72, 117, 139],
      [150, 167, 200, 216],
      [200, 214, 241, 255],
    ]);
  });

  test('reads only the nearest neighbors when shrinking', () => {
    const source = gray([[0, 10, 20, 30, 40, 50, 255]]);
    expect(rowsOf(resizeBilinear(source, { width: 3, height: 1 }), 3)).toEqual([[7, 30, 118]]);
  });

  test('averages 2x2 pixels when both sides are halved', () => {
    const source = gray([
      [0, 1, 10, 20],
      [1, 0, 30, 41],
    ]);
    expect(rowsOf(resizeBilinear(source, { width: 2, height: 1 }), 2)).toEqual([[1, 25]]);
  });

  test('keeps the channels apart', () => {
    const source = { data: Uint8Array.of(255, 0, 7, 0, 255, 7), width: 2, height: 1 };
    const wide = resizeBilinear(source, { width: 3, height: 1 });
    expect(Array.from(wide)).toEqual([255, 0, 7, 128, 128, 7, 0, 255, 7]);
  });

  test('writes into a part of a larger canvas', () => {
    const pixels = new Uint8Array(3 * 3 * 2).fill(9);
    const source = gray([[50]]);
    resizeBilinear(source, { width: 2, height: 1 }, { pixels, rowStride: 9, offset: 12 });
    expect(rowsOf(pixels, 3)).toEqual([
      [9, 9, 9],
      [9, 50, 50],
    ]);
  });

  test('is bit-exact to OpenCV on noise, for many ratios', () => {
    for (const { from, to, checksum } of CHECKSUMS) {
      const resized = resizeBilinear(noise(from.width, from.height), to);
      expect({ to, checksum: fnv1a(resized) }).toEqual({ to, checksum });
    }
  });
});
