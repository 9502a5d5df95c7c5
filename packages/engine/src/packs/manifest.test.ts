import { describe, expect, test } from '@jest/globals';
import { parseManifest } from './manifest.ts';

const DETECTOR = {
  role: 'FaceDetector',
  architecture: 'scrfd',
  file: 'det.onnx',
  sha256: 'a'.repeat(64),
  input: { width: null, height: null },
  mean: [127.5, 127.5, 127.5],
  std: [128, 128, 128],
  colour_order: 'rgb',
};
const RECOGNIZER = {
  ...DETECTOR,
  role: 'FaceRecognizer',
  architecture: 'arcface',
  file: 'rec.onnx',
  input: { width: 112, height: 112 },
  embedding_dim: 512,
};
const MANIFEST = {
  name: 'mine',
  task: 'face',
  version: '1.2',
  license: 'MIT',
  commercial_use: true,
  provides: ['landmarks'],
  components: [DETECTOR, RECOGNIZER],
};

const parse = (value: unknown) => parseManifest(JSON.stringify(value));
const withDetector = (change: object) => ({
  ...MANIFEST,
  components: [{ ...DETECTOR, ...change }],
});

describe('parseManifest', () => {
  test('takes a manifest, and leaves fields out that it does not know', () => {
    expect(parse({ ...MANIFEST, made_on: 'a Tuesday' })).toEqual(MANIFEST);
  });

  test('takes a YuNet net of any size, of multiples of 32, and with a score floor', () => {
    const yunet = { architecture: 'yunet', colour_order: 'bgr', score_floor: 0.6 };
    for (const input of [
      { width: null, height: null },
      { width: 640, height: 352 },
    ]) {
      const manifest = withDetector({ ...yunet, input });
      expect(parse(manifest)).toEqual(manifest);
    }
    const odd = withDetector({ ...yunet, input: { width: 640, height: 360 } });
    expect(() => parse(odd)).toThrow('sides that are multiples of 32');
  });

  test('takes a calibration that never descends', () => {
    const similarity_calibration = [
      [-1, 0],
      [0.3, 0.4],
      [0.4, 0.4],
      [1, 1],
    ];
    expect(parse({ ...MANIFEST, similarity_calibration })).toMatchObject({
      similarity_calibration,
    });
  });

  test.each<[string, [number, number][], string]>([
    ['a single knot', [[0, 0]], 'at least two knots'],
    [
      'a cosine twice',
      [
        [0, 0],
        [0, 1],
      ],
      'strictly ascending raw values',
    ],
    [
      'cosines out of order',
      [
        [0.5, 0],
        [0, 1],
      ],
      'strictly ascending raw values',
    ],
    [
      'a descent',
      [
        [0, 0.5],
        [1, 0.4],
      ],
      'descending calibrated values',
    ],
    [
      'values out of range',
      [
        [0, 0],
        [1, 1.5],
      ],
      'within -1..1',
    ],
  ])('refuses a calibration with %s', (_what, similarity_calibration, reason) => {
    expect(() => parse({ ...MANIFEST, similarity_calibration })).toThrow(reason);
  });

  test('takes a calibration of quality, whose values are not negative', () => {
    const quality_calibration = [
      [0.5, 0],
      [0.9, 1],
    ];
    expect(parse({ ...MANIFEST, quality_calibration })).toMatchObject({ quality_calibration });
    const negative = { ...MANIFEST, quality_calibration: [[-1, 0], ...quality_calibration] };
    expect(() => parse(negative)).toThrow('quality_calibration must have both coordinates');
  });

  test.each<[string, unknown, string]>([
    ['a list', [], 'is not a valid manifest'],
    ['no task', { ...MANIFEST, task: undefined }, 'task'],
    ['no licence', { ...MANIFEST, license: '' }, 'license'],
    ['no components', { ...MANIFEST, components: [] }, 'components'],
    [
      'no detector',
      { ...MANIFEST, components: [RECOGNIZER] },
      'needs a component of role FaceDetector',
    ],
    ['a role twice', { ...MANIFEST, components: [DETECTOR, DETECTOR] }, 'two components'],
    ['a role of another task', { ...MANIFEST, task: 'object' }, 'of role ObjectDetector'],
    ['an unfit architecture', withDetector({ architecture: 'yolov8' }), 'does not fit the role'],
    ['an unknown architecture', withDetector({ architecture: 'resnet' }), 'architecture'],
    ['a short digest', withDetector({ sha256: 'abc' }), '64 lower-case hex digits'],
    ['a zero divisor', withDetector({ std: [1, 0, 1] }), 'must be above 0'],
    ['a score floor above 1', withDetector({ score_floor: 1.1 }), 'score_floor'],
    [
      'a score floor of another role',
      { ...MANIFEST, components: [DETECTOR, { ...RECOGNIZER, score_floor: 0.5 }] },
      'only a component of role FaceDetector has a score_floor',
    ],
    ['an input of no size', withDetector({ input: { width: 0, height: 640 } }), 'input.width'],
    [
      'an embedding of no length',
      { ...MANIFEST, components: [DETECTOR, { ...RECOGNIZER, embedding_dim: undefined }] },
      'needs embedding_dim',
    ],
    [
      'an open vocabulary',
      {
        ...MANIFEST,
        task: 'open_vocabulary',
        components: [{ ...DETECTOR, role: 'OpenVocabularyDetector' }],
      },
      'the role OpenVocabularyDetector is not served by this version',
    ],
  ])('refuses %s', (_what, manifest, reason) => {
    expect(() => parse(manifest)).toThrow(reason);
  });

  test.each([
    '../det.onnx',
    '/etc/det.onnx',
    'sub/det.onnx',
    '..\\det.onnx',
    '..',
    '.hidden.onnx',
    'det.bin',
    'det\0.onnx',
    '',
  ])('refuses the file name %j', (file) => {
    expect(() => parse(withDetector({ file }))).toThrow('plain name of an .onnx file');
  });

  test('refuses what is not JSON', () => {
    expect(() => parseManifest('{')).toThrow('is not JSON');
  });
});
