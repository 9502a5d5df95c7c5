import { describe, expect, test } from '@jest/globals';
import type { Raster } from '../image/raster.ts';
import { drawFit } from '../math/fit.ts';
import type { FitImage } from '../math/letterbox.ts';
import { fitCentered, fitCorner, fitStretched } from './fit-image.ts';

/** An image of one color that is twice as wide as high. */
const WIDE: Raster = {
  data: new Uint8Array(3 * 128 * 64).map((_, i) => [200, 100, 50][i % 3]!),
  width: 128,
  height: 64,
};
const SIZE = { width: 64, height: 64 };

function drawn(fitTo: FitImage) {
  const fit = fitTo(WIDE, SIZE);
  const { scaleX, scaleY, left, top } = fit;
  return { pixels: drawFit(WIDE, fit), place: { scaleX, scaleY, left, top } };
}

function reds(pixels: Uint8Array, rows: readonly number[]): number[] {
  return rows.map((row) => pixels[3 * 64 * row]!);
}

describe('an image is fitted', () => {
  test('into the center', () => {
    const { pixels, place } = drawn(fitCentered);
    expect(place).toEqual({ scaleX: 0.5, scaleY: 0.5, left: 0, top: 16 });
    expect(reds(pixels, [0, 15, 16, 47, 48, 63])).toEqual([114, 114, 200, 200, 114, 114]);
  });

  test('into the upper left corner', () => {
    const { pixels, place } = drawn(fitCorner);
    expect(place).toEqual({ scaleX: 0.5, scaleY: 0.5, left: 0, top: 0 });
    expect(reds(pixels, [0, 31, 32, 63])).toEqual([200, 200, 114, 114]);
  });

  test('stretched over the canvas', () => {
    const { pixels, place } = drawn(fitStretched);
    expect(place).toEqual({ scaleX: 0.5, scaleY: 1, left: 0, top: 0 });
    expect(pixels).toHaveLength(3 * 64 * 64);
    expect(Array.from(pixels).every((value, i) => value === [200, 100, 50][i % 3])).toBe(true);
  });
});
