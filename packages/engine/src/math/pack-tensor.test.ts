import { describe, expect, test } from '@jest/globals';
import { packTensor } from './pack-tensor.ts';

const pixels = Uint8Array.of(0, 10, 20, 255, 110, 120);
const size = { width: 2, height: 1 };

describe('packTensor', () => {
  test('yields planes of (value - mean) / std', () => {
    const spec = { mean: [127.5, 10, 0], std: [127.5, 100, 10], colorOrder: 'rgb' } as const;
    expect(Array.from(packTensor(pixels, size, spec))).toEqual([-1, 1, 0, 1, 2, 12]);
  });

  test('swaps red and blue, and applies mean and std in the order of the result', () => {
    const spec = { mean: [20, 0, 0], std: [100, 1, 1], colorOrder: 'bgr' } as const;
    expect(Array.from(packTensor(pixels, size, spec))).toEqual([0, 1, 10, 110, 0, 255]);
  });
});
