import { describe, expect, test } from '@jest/globals';
import { noise } from '../math/testing/noise.ts';
import { cropAroundBox, cropSquare, placeAroundBox, squareAround } from './crop-around-box.ts';

describe('cropAroundBox', () => {
  const image = noise(60, 60);

  test('centers the box with a quarter of its longer side around it', () => {
    // The box is 16 pixels wide and 24 high, so the crop covers 36x36 pixels around (30, 32).
    const crop = cropAroundBox(image, { x1: 22, y1: 20, x2: 38, y2: 44 }, 36);
    for (const row of [0, 17, 35]) {
      const start = 3 * ((14 + row) * 60 + 12);
      expect(crop.slice(3 * 36 * row, 3 * 36 * (row + 1))).toEqual(
        image.data.slice(start, start + 3 * 36),
      );
    }
  });

  test('agrees with its placement', () => {
    const box = { x1: 22, y1: 20, x2: 38, y2: 44 };
    expect(placeAroundBox(box, 36)).toEqual({ origin: { x: 12, y: 14 }, scale: 1 });
    expect(placeAroundBox(box, 72)).toEqual({ origin: { x: 12, y: 14 }, scale: 0.5 });
  });

  test('is black outside the image', () => {
    const crop = cropAroundBox(image, { x1: -12, y1: 0, x2: 12, y2: 24 }, 36);
    expect(Array.from(crop.slice(0, 3 * 36)).every((value) => value === 0)).toBe(true);
    const row = crop.slice(3 * 36 * 6, 3 * 36 * 7);
    expect(Array.from(row.slice(0, 3 * 18)).every((value) => value === 0)).toBe(true);
    expect(row.slice(3 * 18)).toEqual(image.data.slice(0, 3 * 18));
  });
});

test('a square is centered on its box and keeps the pixels', () => {
  const image = noise(60, 60);
  const square = squareAround({ x1: 20, y1: 22, x2: 40, y2: 38 }, 1.2);
  expect(square).toEqual({ x: 30, y: 30, side: 24, roll: 0 });
  const crop = cropSquare(image, square, 24);
  const start = 3 * (18 * 60 + 18);
  expect(crop.slice(0, 3 * 24)).toEqual(image.data.slice(start, start + 3 * 24));
});
