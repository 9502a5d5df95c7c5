import { describe, expect, test } from '@jest/globals';
import { COCO_CLASSES } from '@sightline/core/models/coco-classes';
import { YUNET_OUTPUTS } from '../faces/yunet.ts';
import { readOnnx } from '../onnx/read-onnx.ts';
import { handMadeModel, type HandMadeModel } from '../onnx/testing/hand-made-model.ts';
import { recognizeRole } from './recognize-role.ts';

function recognize(model: HandMadeModel) {
  return recognizeRole(readOnnx(handMadeModel(model)));
}

function component(model: HandMadeModel) {
  const recognition = recognize(model);
  if (recognition.component === null) throw new Error(recognition.reason);
  return recognition.component;
}

const crop = (side: number, length: number | string): HandMadeModel => ({
  inputs: { data: ['batch', 3, side, side] },
  outputs: { fc1: [1, length] },
});

const rows = (lengths: number[]) =>
  Object.fromEntries(lengths.map((length, index) => [`out${index}`, ['n', length]]));

const scrfd = (lengths: number[], side: number | string = 'side'): HandMadeModel => ({
  inputs: { 'input.1': [1, 3, side, side] },
  outputs: rows(lengths),
});

describe('recognizeRole on face models', () => {
  test.each([
    ['3 strides', [1, 1, 1, 4, 4, 4], []],
    ['3 strides and landmarks', [1, 1, 1, 4, 4, 4, 10, 10, 10], ['landmarks']],
    ['5 strides', [1, 1, 1, 1, 1, 4, 4, 4, 4, 4], []],
    ['5 strides and landmarks', [1, 1, 1, 1, 1, 4, 4, 4, 4, 4, 10, 10, 10, 10, 10], ['landmarks']],
  ])('recognizes a detector with %s', (_what, lengths, provides) => {
    const recognition = recognize(scrfd(lengths));
    expect(recognition).toEqual({
      component: {
        role: 'FaceDetector',
        architecture: 'scrfd',
        input: { width: null, height: null },
        mean: [127.5, 127.5, 127.5],
        std: [128, 128, 128],
        color_order: 'rgb',
      },
      provides,
    });
  });

  test("keeps a detector's fixed size", () => {
    expect(component(scrfd([1, 1, 1, 4, 4, 4], 640)).input).toEqual({ width: 640, height: 640 });
  });

  test('does not mistake six other outputs for a detector', () => {
    expect(recognize(scrfd([7, 7, 7, 7, 7, 7])).component).toBeNull();
  });

  test.each([
    ['any size', 'side', null],
    ['a fixed size', 640, 640],
  ])('recognizes a YuNet detector with %s by its output names', (_what, side, length) => {
    const yunet: HandMadeModel = {
      inputs: { input: ['batch', 3, side, side] },
      outputs: Object.fromEntries(YUNET_OUTPUTS.map((name) => [name, ['batch', 'cells', 'n']])),
    };
    expect(recognize(yunet)).toEqual({
      component: {
        role: 'FaceDetector',
        architecture: 'yunet',
        input: { width: length, height: length },
        mean: [0, 0, 0],
        std: [1, 1, 1],
        color_order: 'bgr',
      },
      provides: ['landmarks'],
    });
    const { kps_32, ...others } = yunet.outputs;
    const renamed = { ...yunet, outputs: { ...others, points_32: kps_32! } };
    expect(recognize(renamed).component).toBeNull();
  });

  test('recognizes a recognizer, its embedding and its normalization', () => {
    expect(component(crop(112, 512))).toMatchObject({
      role: 'FaceRecognizer',
      architecture: 'arcface',
      embedding_dim: 512,
      input: { width: 112, height: 112 },
      mean: [127.5, 127.5, 127.5],
      std: [127.5, 127.5, 127.5],
    });
    expect(component(crop(128, 256))).toMatchObject({ role: 'FaceRecognizer' });
  });

  test('recognizes age and gender, and pose', () => {
    expect(recognize(crop(96, 3))).toMatchObject({
      component: { role: 'GenderAge', architecture: 'genderage', std: [128, 128, 128] },
      provides: ['age', 'gender'],
    });
    expect(recognize(crop(192, 3309))).toMatchObject({
      component: { role: 'Landmark3D', architecture: 'landmark_3d_68', std: [128, 128, 128] },
      provides: ['pose'],
    });
  });

  test.each<[string, object[]]>([
    [
      'Sub and Mul',
      [
        { name: '_minusscalar0', opType: 'Sub', input: ['data', 'c'], output: ['a'] },
        { name: '_mulscalar0', opType: 'Mul', input: ['a', 'd'], output: ['b'] },
      ],
    ],
    [
      'Sub and Mul behind an identity, in a graph that begins with its weights',
      [
        { opType: 'DequantizeLinear', input: ['w'], output: ['weights'] },
        { name: 'id', opType: 'Identity', input: ['data'], output: ['id'] },
        { opType: 'Sub', input: ['id', 'c'], output: ['a'] },
        { opType: 'Mul', input: ['a', 'd'], output: ['b'] },
      ],
    ],
    ['bn_data', [{ name: 'bn_data', opType: 'BatchNormalization', input: ['data'], output: [] }]],
  ])('does not normalize if the graph does with %s', (_how, nodes) => {
    for (const model of [crop(112, 512), crop(96, 3), crop(192, 3309)]) {
      expect(component({ ...model, nodes })).toMatchObject({ mean: [0, 0, 0], std: [1, 1, 1] });
    }
  });

  test('ignores a subtraction deep in the graph', () => {
    const nodes = [
      { opType: 'Conv', input: ['data', 'w'], output: ['x'] },
      { opType: 'Sub', input: ['x', 'c'], output: ['a'] },
      { opType: 'Mul', input: ['a', 'd'], output: ['b'] },
    ];
    expect(component({ ...crop(112, 512), nodes }).mean).toEqual([127.5, 127.5, 127.5]);
  });

  test.each<[string, HandMadeModel, string]>([
    ['2D landmarks', crop(192, 212), '2D landmarks'],
    ['other attributes', crop(96, 40), 'attributes other than age and gender'],
    ['an embedding of unknown length', crop(112, 'dim'), 'the length of its embeddings'],
    [
      'a face swapper',
      {
        inputs: { target: [1, 3, 128, 128], source: [1, 512] },
        outputs: { output: [1, 3, 128, 128] },
      },
      'swaps faces',
    ],
    ['half precision', { ...crop(112, 512), elementType: 10 }, 'is not float32'],
    [
      'an image classifier',
      { inputs: { x: [1, 3, 100, 100] }, outputs: { y: [1, 1000] } },
      'not a supported model',
    ],
    [
      'a recognizer whose weights are inputs',
      { inputs: { data: [1, 3, 112, 112], w: [32, 3, 3, 3] }, outputs: { fc1: [1, 128] } },
      'not a supported model',
    ],
    [
      'a text model',
      { inputs: { ids: [1, 77] }, outputs: { y: [1, 512] } },
      'not a supported model',
    ],
    ['a model without inputs', { inputs: {}, outputs: {} }, 'is not float32'],
  ])('rejects %s', (_what, model, reason) => {
    expect(recognize(model)).toEqual({
      component: null,
      reason: expect.stringContaining(reason),
    });
  });
});

const yolo = (
  output: (number | string)[],
  metadata: Record<string, string> = {},
  side: number | string = 640,
): HandMadeModel => ({
  inputs: { images: [1, 3, side, side] },
  outputs: { output0: output },
  metadata,
});

const THREE = { stride: '32', task: 'detect', names: `{0: 'cat', 1: "dog's bed", 2: 'a\\'b'}` };

describe('recognizeRole on object detectors', () => {
  test.each([
    ['YOLOv8', yolo([1, 84, 8400]), 'yolov8'],
    ['YOLOv8 of another size', yolo([1, 84, 2100], {}, 320), 'yolov8'],
    ['YOLOv8 with a dynamic size', yolo(['batch', 84, 'anchors'], {}, 'side'), 'yolov8'],
    ['YOLOv5', yolo([1, 25200, 85]), 'yolov5'],
    ['YOLOX', yolo([1, 8400, 85]), 'yolox_decoded'],
    ['YOLOX of another size', yolo([1, 3549, 85], {}, 416), 'yolox_decoded'],
  ])('recognizes %s by its output', (_what, model, architecture) => {
    expect(component(model)).toMatchObject({
      role: 'ObjectDetector',
      architecture,
      classes: COCO_CLASSES,
    });
  });

  test('recognizes YOLOX with an undecoded head by the Transpose at its end', () => {
    const nodes = [{ opType: 'Transpose', input: ['x'], output: ['output0'] }];
    expect(component({ ...yolo([1, 8400, 85]), nodes })).toMatchObject({
      architecture: 'yolox',
      mean: [0, 0, 0],
      std: [1, 1, 1],
      color_order: 'bgr',
    });
  });

  test('feeds YOLO with RGB in 0..1', () => {
    expect(component(yolo([1, 84, 8400]))).toMatchObject({
      mean: [0, 0, 0],
      std: [255, 255, 255],
      color_order: 'rgb',
    });
  });

  test('takes names, size and version from the metadata of ultralytics', () => {
    const metadata = { ...THREE, description: 'Ultralytics YOLO11n model', imgsz: '[320, 416]' };
    expect(component(yolo([1, 7, 'anchors'], metadata, 'side'))).toMatchObject({
      architecture: 'yolov11',
      input: { height: 320, width: 416 },
      classes: ['cat', "dog's bed", "a'b"],
    });
    const list = { ...THREE, names: `['cat', 'dog', 'cow']` };
    expect(component(yolo([1, 'rows', 8], list, 'side'))).toMatchObject({
      architecture: 'yolov5',
      classes: ['cat', 'dog', 'cow'],
    });
  });

  test('accepts other grids from ultralytics, such as those of models for 1280 pixels', () => {
    const v5 = yolo([1, 102_000, 8], { stride: '64', names: THREE.names }, 1280);
    expect(component(v5)).toMatchObject({ architecture: 'yolov5', input: { width: 1280 } });
    const v8 = yolo([1, 7, 34_000], { ...THREE, stride: '64' }, 1280);
    expect(component(v8)).toMatchObject({ architecture: 'yolov8', input: { width: 1280 } });
  });

  test.each<[string, HandMadeModel, string]>([
    ['other tasks', yolo([1, 116, 8400], { ...THREE, task: 'segment' }), '"segment"'],
    ['its own NMS', yolo([1, 300, 6], { ...THREE, end2end: 'True' }), 'non-maximum suppression'],
    [
      'NMS as an option',
      yolo([1, 300, 6], { ...THREE, args: `{'nms': True}` }),
      'non-maximum suppression',
    ],
    ['classes without names', yolo([1, 24, 8400]), '20 classes but not their names'],
    ['fewer names than classes', yolo([1, 84, 8400], THREE), '80 classes but not their names'],
    ['names out of order', yolo([1, 6, 8400], { ...THREE, names: `{1: 'a', 0: 'b'}` }), 'names'],
    ['names that are code', yolo([1, 5, 8400], { ...THREE, names: `{0: exit()}` }), 'names'],
    ['another grid', yolo([1, 84, 8000]), 'not a supported model'],
  ])('rejects a detector with %s', (_what, model, reason) => {
    expect(recognize(model)).toEqual({
      component: null,
      reason: expect.stringContaining(reason),
    });
  });
});
