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
  color_order: 'rgb',
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
const MERGES = { file: 'merges.txt', sha256: 'c'.repeat(64) };
const WORDS_DETECTOR = {
  ...DETECTOR,
  role: 'OpenVocabularyDetector',
  architecture: 'yolo_world',
  input: { width: 640, height: 640 },
};
const TEXT_ENCODER = {
  role: 'TextEncoder',
  architecture: 'clip_text',
  file: 'text.onnx',
  sha256: 'b'.repeat(64),
  tokenizer: [{ file: 'vocab.json', sha256: 'd'.repeat(64) }, MERGES],
};
const WORDS = {
  ...MANIFEST,
  task: 'open_vocabulary',
  provides: [],
  components: [WORDS_DETECTOR, TEXT_ENCODER],
};

const parse = (value: unknown) => parseManifest(JSON.stringify(value));
const withDetector = (change: object) => ({
  ...MANIFEST,
  components: [{ ...DETECTOR, ...change }],
});

describe('parseManifest', () => {
  test('accepts a manifest and drops unknown fields', () => {
    expect(parse({ ...MANIFEST, made_on: 'a Tuesday' })).toEqual(MANIFEST);
  });

  test('accepts a commercial use that is unknown for a reason', () => {
    const reason = { commercial_use_reason: 'Its authors name no license.' };
    for (const commercial_use of [true, false, 'unknown']) {
      expect(parse({ ...MANIFEST, commercial_use, ...reason })).toMatchObject({
        commercial_use,
        ...reason,
      });
    }
    expect(() => parse({ ...MANIFEST, commercial_use: 'unknown' })).toThrow(
      'commercial_use_reason must say why',
    );
    for (const commercial_use of ['yes', null, 0]) {
      expect(() => parse({ ...MANIFEST, commercial_use })).toThrow(
        'commercial_use: must be true, false or "unknown"',
      );
    }
  });

  test('accepts a YuNet network of any size that is a multiple of 32, with a score floor', () => {
    const yunet = { architecture: 'yunet', color_order: 'bgr', score_floor: 0.6 };
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

  test('accepts a calibration that never descends', () => {
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
      'a repeated cosine',
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

  test('accepts a quality calibration with non-negative values', () => {
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
    ['no license', { ...MANIFEST, license: '' }, 'license'],
    ['no components', { ...MANIFEST, components: [] }, 'components'],
    [
      'no detector',
      { ...MANIFEST, components: [RECOGNIZER] },
      'needs a component of role FaceDetector',
    ],
    ['a repeated role', { ...MANIFEST, components: [DETECTOR, DETECTOR] }, 'two components'],
    ['a role of another task', { ...MANIFEST, task: 'object' }, 'of role ObjectDetector'],
    [
      'an architecture of another role',
      withDetector({ architecture: 'yolov8' }),
      'does not fit the role',
    ],
    ['an unknown architecture', withDetector({ architecture: 'resnet' }), 'architecture'],
    ['a short digest', withDetector({ sha256: 'abc' }), '64 lower-case hex digits'],
    [
      'the British spelling of color_order',
      withDetector({ color_order: undefined, colour_order: 'rgb' }),
      'components.0.color_order: must be "rgb" or "bgr"; the spelling colour_order is not accepted',
    ],
    ['a zero divisor', withDetector({ std: [1, 0, 1] }), 'must be above 0'],
    ['a score floor above 1', withDetector({ score_floor: 1.1 }), 'score_floor'],
    [
      'a score floor of another role',
      { ...MANIFEST, components: [DETECTOR, { ...RECOGNIZER, score_floor: 0.5 }] },
      'only a component of role FaceDetector has a score_floor',
    ],
    ['another letterbox', withDetector({ letterbox: 'tight' }), 'must be "square", or left out'],
    [
      'a letterbox of another role',
      { ...MANIFEST, components: [DETECTOR, { ...RECOGNIZER, letterbox: 'square' }] },
      'only a detector has a letterbox',
    ],
    ['an input without size', withDetector({ input: { width: 0, height: 640 } }), 'input.width'],
    [
      'an embedding without length',
      { ...MANIFEST, components: [DETECTOR, { ...RECOGNIZER, embedding_dim: undefined }] },
      'needs embedding_dim',
    ],
    [
      'an open-vocabulary detector without a text encoder',
      { ...WORDS, components: [WORDS_DETECTOR] },
      'needs a component of role TextEncoder',
    ],
    [
      'a text encoder without a tokenizer',
      { ...WORDS, components: [WORDS_DETECTOR, { ...TEXT_ENCODER, tokenizer: undefined }] },
      'needs a tokenizer',
    ],
    [
      'merges without a vocabulary',
      { ...WORDS, components: [WORDS_DETECTOR, { ...TEXT_ENCODER, tokenizer: [MERGES] }] },
      'needs a tokenizer',
    ],
    [
      'a tokenizer elsewhere',
      {
        ...WORDS,
        components: [
          WORDS_DETECTOR,
          { ...TEXT_ENCODER, tokenizer: [{ ...MERGES, file: '../vocab.json' }] },
        ],
      },
      'name of a .json or .txt file in the folder',
    ],
    [
      'a tokenizer of another role',
      { ...MANIFEST, components: [{ ...DETECTOR, tokenizer: TEXT_ENCODER.tokenizer }, RECOGNIZER] },
      'only a component of role TextEncoder has a tokenizer',
    ],
    [
      'an open-vocabulary detector of any size',
      {
        ...WORDS,
        components: [{ ...WORDS_DETECTOR, input: { width: null, height: null } }, TEXT_ENCODER],
      },
      'role OpenVocabularyDetector needs an input of fixed size',
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
    expect(() => parse(withDetector({ file }))).toThrow('name of an .onnx file in the folder');
  });

  test('a text encoder need not say how images are fed', () => {
    expect(parse(WORDS).components[1]).toMatchObject({ input: { width: null, height: null } });
  });

  test('refuses what is not JSON', () => {
    expect(() => parseManifest('{')).toThrow('is not JSON');
  });
});
