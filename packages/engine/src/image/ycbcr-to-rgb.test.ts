import { describe, expect, test } from '@jest/globals';
import { ycbcrToRgb } from './ycbcr-to-rgb.ts';

const DEFAULTS = { weights: [], range: [] };
const rgb = (values: readonly number[], spec = DEFAULTS as Parameters<typeof ycbcrToRgb>[1]) => [
  ...ycbcrToRgb(Uint8Array.from(values), spec),
];

describe('ycbcrToRgb', () => {
  test('converts primary colors and grays', () => {
    expect(rgb([76, 85, 255, 150, 44, 21, 29, 255, 107])).toEqual([
      254, 0, 0, 0, 255, 1, 0, 0, 254,
    ]);
    expect(rgb([0, 128, 128, 77, 128, 128, 255, 128, 128])).toEqual([
      0, 0, 0, 77, 77, 77, 255, 255, 255,
    ]);
  });

  test('uses the weights of the file', () => {
    const weights = [0.2125, 0.7154, 0.0721];
    expect(rgb([54, 99, 255], { weights, range: [] })).toEqual([254, 0, 0]);
  });

  test('scales the range of the file', () => {
    const range = [16, 235, 128, 240, 128, 240];
    expect(rgb([16, 128, 128, 235, 128, 128], { weights: [], range })).toEqual([
      0, 0, 0, 255, 255, 255,
    ]);
  });

  test('takes the defaults for values without sense', () => {
    const spec = { weights: [0.3, 0, 0.7], range: [9, 9, 9, 9, 9, 9] };
    expect(rgb([76, 85, 255], spec)).toEqual(rgb([76, 85, 255]));
    expect(rgb([76, 85, 255], { weights: [NaN, 1, 1], range: [0, 255] })).toEqual(
      rgb([76, 85, 255]),
    );
  });
});
