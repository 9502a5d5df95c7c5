import { describe, expect, test } from '@jest/globals';
import type { Raster } from '../image/raster.ts';
import { drawFit, type Fit } from './fit.ts';
import { letterbox, letterboxCentered, letterboxSmooth } from './letterbox.ts';
import type { Size } from './resize-bilinear.ts';

function plain(width: number, height: number, value = 200) {
  return { data: new Uint8Array(3 * width * height).fill(value), width, height };
}

function drawn(
  fitTo: (source: Size, size: Size, room?: Size) => Fit,
  source: Raster,
  ...sizes: [size: Size, room?: Size]
) {
  const fit = fitTo(source, ...sizes);
  expect(fit.scaleY).toBe(fit.scaleX);
  return { pixels: drawFit(source, fit), scale: fit.scaleX, left: fit.left, top: fit.top };
}

function extent(pixels: Uint8Array, width: number, value: number) {
  let columns = 0;
  while (columns < width && pixels[3 * columns] === value) columns++;
  let rows = 0;
  while (rows * 3 * width < pixels.length && pixels[rows * 3 * width] === value) rows++;
  return { columns, rows };
}

describe('letterbox', () => {
  test('fills the width with a wide image and leaves black below', () => {
    const { pixels, scale } = drawn(letterbox, plain(819, 546), { width: 64, height: 64 });
    expect(extent(pixels, 64, 200)).toEqual({ columns: 64, rows: 42 });
    expect(scale).toBe(42 / 546);
    expect(pixels.at(-1)).toBe(0);
  });

  test('fills the height with a tall image and leaves black on the right', () => {
    const { pixels, scale } = drawn(letterbox, plain(100, 300), { width: 60, height: 30 });
    expect(extent(pixels, 60, 200)).toEqual({ columns: 10, rows: 30 });
    expect(scale).toBe(0.1);
  });

  test('fits into a part of the canvas', () => {
    const { pixels, scale } = drawn(
      letterbox,
      plain(80, 40),
      { width: 64, height: 64 },
      { width: 20, height: 20 },
    );
    expect(extent(pixels, 64, 200)).toEqual({ columns: 20, rows: 10 });
    expect(scale).toBe(0.25);
  });

  test('keeps at least one pixel of a strip', () => {
    const { pixels } = drawn(letterbox, plain(3, 5000), { width: 64, height: 64 });
    expect(extent(pixels, 64, 200)).toEqual({ columns: 1, rows: 64 });
  });
});

describe('letterboxSmooth', () => {
  test('rounds sides and uses one scale for both axes', () => {
    // The 546 rows shrink to 42.67, which is rounded to 43. The scale is not rounded.
    const { pixels, scale } = drawn(letterboxSmooth, plain(819, 546), { width: 64, height: 64 });
    expect(extent(pixels, 64, 200)).toEqual({ columns: 64, rows: 43 });
    expect(scale).toBe(64 / 819);
    const tall = drawn(letterboxSmooth, plain(100, 300), { width: 60, height: 30 });
    expect(extent(tall.pixels, 60, 200)).toEqual({ columns: 10, rows: 30 });
    expect(tall.scale).toBe(0.1);
  });

  test('averages when shrinking and interpolates when enlarging', () => {
    const stripes = {
      data: Uint8Array.from({ length: 3 * 8 * 8 }, (_, i) => (i % 24 < 3 ? 240 : 0)),
    };
    const shrunk = drawn(
      letterboxSmooth,
      { ...stripes, width: 8, height: 8 },
      { width: 2, height: 2 },
    );
    expect(Array.from(shrunk.pixels)).toEqual([60, 60, 60, 0, 0, 0, 60, 60, 60, 0, 0, 0]);
    const pair = { data: Uint8Array.of(0, 0, 0, 200, 200, 200), width: 2, height: 1 };
    const { pixels, scale } = drawn(letterboxSmooth, pair, { width: 4, height: 2 });
    expect(Array.from(pixels).filter((_, i) => i % 3 === 0)).toEqual([
      0, 50, 150, 200, 0, 50, 150, 200,
    ]);
    expect(scale).toBe(2);
  });

  test('fits into a part of the canvas, and keeps at least one pixel of a strip', () => {
    const size = { width: 64, height: 64 };
    const { pixels } = drawn(letterboxSmooth, plain(80, 40), size, { width: 20, height: 20 });
    expect(extent(pixels, 64, 200)).toEqual({ columns: 20, rows: 10 });
    expect(extent(drawn(letterboxSmooth, plain(3, 5000), size).pixels, 64, 200)).toEqual({
      columns: 1,
      rows: 64,
    });
  });
});

describe('letterboxCentered', () => {
  test('centers the image on gray', () => {
    const { pixels, scale, left, top } = drawn(letterboxCentered, plain(200, 100), {
      width: 40,
      height: 40,
    });
    expect({ scale, left, top }).toEqual({ scale: 0.2, left: 0, top: 10 });
    expect(pixels[(9 * 40 + 5) * 3]).toBe(114);
    expect(pixels[(10 * 40 + 5) * 3]).toBe(200);
    expect(pixels[(29 * 40 + 5) * 3]).toBe(200);
    expect(pixels[(30 * 40 + 5) * 3]).toBe(114);
  });

  test('puts the smaller half of an odd margin on the left', () => {
    const { left, pixels } = drawn(letterboxCentered, plain(33, 40), { width: 40, height: 40 });
    expect(left).toBe(3);
    expect([pixels[3 * 2], pixels[3 * 3], pixels[3 * 35], pixels[3 * 36]]).toEqual([
      114, 200, 200, 114,
    ]);
  });
});
