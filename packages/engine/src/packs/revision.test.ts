import { describe, expect, test } from '@jest/globals';
import type { PackComponent } from './manifest.ts';
import { packRevision } from './revision.ts';

const DETECTOR: PackComponent = {
  role: 'FaceDetector',
  architecture: 'scrfd',
  file: 'det.onnx',
  sha256: 'a'.repeat(64),
  input: { width: null, height: null },
  mean: [0, 0, 0],
  std: [1, 1, 1],
  color_order: 'rgb',
};
const RECOGNIZER: PackComponent = {
  ...DETECTOR,
  role: 'FaceRecognizer',
  architecture: 'arcface',
  embedding_dim: 512,
};

describe('packRevision', () => {
  test('is a digest that stays the same across releases', () => {
    expect(packRevision([DETECTOR, RECOGNIZER])).toBe(
      '331836bd004fa770477ef509e001fef0dc15534f429f3e85c3eabdf23d655b7c',
    );
  });

  test('does not depend on the order of components or on file names', () => {
    expect(packRevision([RECOGNIZER, { ...DETECTOR, file: 'other.onnx' }])).toBe(
      packRevision([DETECTOR, RECOGNIZER]),
    );
  });

  test.each<[string, Partial<PackComponent>]>([
    ['bytes', { sha256: 'b'.repeat(64) }],
    ['mean', { mean: [0, 0, 1] }],
    ['std', { std: [1, 1, 2] }],
    ['color order', { color_order: 'bgr' }],
    ['input', { input: { width: 640, height: 640 } }],
    ['score floor', { score_floor: 0.6 }],
    ['letterbox', { letterbox: 'square' }],
    ['class names', { classes: ['cat'] }],
  ])('changes with %s', (_what, change) => {
    expect(packRevision([{ ...DETECTOR, ...change }])).not.toBe(packRevision([DETECTOR]));
  });
});
