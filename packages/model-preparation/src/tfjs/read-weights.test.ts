import { describe, expect, test } from '@jest/globals';
import { FileRefused } from '@sightline/engine/onnx/file-refused';
import type { WeightSpec } from './graph-model.ts';
import { readWeights } from './read-weights.ts';

const HALF = { dtype: 'float16' };
const SPECS: readonly WeightSpec[] = [
  { name: 'halves', shape: [3], dtype: 'float32', quantization: HALF },
  { name: 'axes', shape: [1, 2], dtype: 'int32' },
  { name: 'number', shape: [], dtype: 'float32' },
];
const BYTES = Uint8Array.of(
  0x00,
  0x3c,
  0x00,
  0xc0,
  0x01,
  0x00,
  1,
  0,
  0,
  0,
  0xfe,
  0xff,
  0xff,
  0xff,
  0,
  0,
  0x20,
  0x40,
);

describe('readWeights', () => {
  test('reads consecutive tensors by type', () => {
    expect(readWeights(SPECS, BYTES)).toEqual(
      new Map([
        ['halves', { kind: 'constant', shape: [3], data: Float32Array.of(1, -2, 2 ** -24) }],
        ['axes', { kind: 'constant', shape: [1, 2], data: Int32Array.of(1, -2) }],
        ['number', { kind: 'constant', shape: [], data: Float32Array.of(2.5) }],
      ]),
    );
  });

  test.each([
    ['fewer', BYTES.subarray(0, -1), 17],
    ['more', Uint8Array.of(...BYTES, 0), 19],
  ])('refuses %s bytes than the manifest declares', (_what, bytes, length) => {
    expect(() => readWeights(SPECS, bytes)).toThrow(
      new FileRefused(`does not describe ${length} bytes of weights in 3 tensors`),
    );
  });

  test('refuses a tensor that would be larger than any file', () => {
    const huge = [{ name: 'w', shape: [2 ** 50, 2 ** 50], dtype: 'float32' }];
    expect(() => readWeights(huge, BYTES)).toThrow(FileRefused);
  });

  test.each([
    [{ dtype: 'bool' }, 'bool as bool'],
    [{ dtype: 'float32', quantization: { dtype: 'uint8' } }, 'float32 as uint8'],
    [{ dtype: 'int32', quantization: HALF }, 'int32 as float16'],
  ])('refuses %j', (encoding, named) => {
    expect(() => readWeights([{ name: 'w', shape: [1], ...encoding }], BYTES)).toThrow(
      new FileRefused(`has the weight "w" of ${named}`),
    );
  });
});
