import { expect, test } from '@jest/globals';
import { readOnnx } from '../onnx/read-onnx.ts';
import { handMadeModel, type HandMadeModel } from '../onnx/testing/hand-made-model.ts';
import { recognizeRole } from './recognize-role.ts';

/**
 * The recognizers of 512 values exported from PyTorch. Their batch is free, but their output
 * declares one row.
 */
const recognizer = (output: string): HandMadeModel => ({
  inputs: { 'input.1': ['None', 3, 112, 112] },
  outputs: { [output]: [1, 512] },
});

/** An SCRFD network with a free input size, whose output declares the number of rows at 640x640. */
const detector = (
  outputs: readonly string[],
  side: readonly (number | string)[],
): HandMadeModel => ({
  inputs: { 'input.1': [1, 3, ...side] },
  outputs: Object.fromEntries(
    outputs.map((name, index) => [
      name,
      [12_800 / 4 ** (index % 3), [1, 4, 10][Math.trunc(index / 3)]!],
    ]),
  ),
});

/** A network from MXNet, which normalizes its input itself. */
const fromMxnet = (side: number, length: number): HandMadeModel => ({
  inputs: { data: ['None', 3, side, side] },
  outputs: { fc1: [1, length] },
  nodes: [
    { name: 'id', opType: 'Identity', input: ['data'], output: ['id'] },
    { name: '_minusscalar0', opType: 'Sub', input: ['id', 'scalar'], output: ['minus'] },
    { name: '_mulscalar0', opType: 'Mul', input: ['minus', 'scalar1'], output: ['mul'] },
  ],
});

const DET_10G = ['448', '471', '494', '451', '474', '497', '454', '477', '500'];
const DET_500M = ['443', '468', '493', '446', '471', '496', '449', '474', '499'];
const ANY_SIZE = ['?', '?'];

const DETECTOR = {
  component: {
    role: 'FaceDetector',
    architecture: 'scrfd',
    input: { width: null, height: null },
    mean: [127.5, 127.5, 127.5],
    std: [128, 128, 128],
    color_order: 'rgb',
  },
  provides: ['landmarks'],
};
const RECOGNIZER = {
  component: {
    role: 'FaceRecognizer',
    architecture: 'arcface',
    embedding_dim: 512,
    input: { width: 112, height: 112 },
    mean: [127.5, 127.5, 127.5],
    std: [127.5, 127.5, 127.5],
    color_order: 'rgb',
  },
  provides: [],
};

// Each case is a published file: the names and shapes of its inputs and outputs, and its first
// nodes.
test.each<[string, HandMadeModel, object]>([
  ['det_10g, scrfd_10g_bnkps', detector(DET_10G, ANY_SIZE), DETECTOR],
  ['det_500m', detector(DET_500M, ANY_SIZE), DETECTOR],
  ['w600k_r50', recognizer('683'), RECOGNIZER],
  ['w600k_mbf', recognizer('516'), RECOGNIZER],
  ['glintr100', recognizer('1333'), RECOGNIZER],
  [
    'genderage',
    fromMxnet(96, 3),
    {
      component: {
        role: 'GenderAge',
        architecture: 'genderage',
        input: { width: 96, height: 96 },
        mean: [0, 0, 0],
        std: [1, 1, 1],
        color_order: 'rgb',
      },
      provides: ['age', 'gender'],
    },
  ],
  [
    '1k3d68',
    fromMxnet(192, 3309),
    {
      component: {
        role: 'Landmark3D',
        architecture: 'landmark_3d_68',
        input: { width: 192, height: 192 },
        mean: [0, 0, 0],
        std: [1, 1, 1],
        color_order: 'rgb',
      },
      provides: ['pose'],
    },
  ],
  [
    '2d106det',
    fromMxnet(192, 212),
    { component: null, reason: 'detects 2D landmarks, which are not used' },
  ],
])('%s of insightface is recognized as published', (_file, model, recognition) => {
  expect(recognizeRole(readOnnx(handMadeModel(model)))).toEqual(recognition);
});
