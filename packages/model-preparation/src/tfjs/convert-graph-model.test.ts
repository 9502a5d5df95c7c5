import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { IS_SOAK } from '@sightline/test/support/gates/soak';
import { shared } from '@sightline/test/support/fixtures/shared';
import { decodePhoto } from '@sightline/engine/faces/testing/decode-photo';
import { packTensor } from '@sightline/engine/math/pack-tensor';
import { resizeBilinear } from '@sightline/engine/math/resize-bilinear';
import { FileRefused } from '@sightline/engine/onnx/file-refused';
import { decodeModel } from '@sightline/engine/onnx/model-proto';
import type { FloatTensor } from '@sightline/engine/onnx/session';
import { convertGraphModel, type GraphModelFiles } from './convert-graph-model.ts';
import { graph, type HandMadeGraph, handMadeGraph, number } from './testing/hand-made-graph.ts';
import { publishedModel } from './testing/published-model.ts';
import { relativeError } from './testing/relative-error.ts';
import { runConverted } from './testing/run-converted.ts';
import { runTensorflow } from './testing/run-tensorflow.ts';

const RELU = graph({ op: 'Relu', input: ['x'] });

/** The graph model with a change in its JSON. */
function changed(change: (model: Record<string, unknown>) => unknown): GraphModelFiles {
  const { model, weights } = handMadeGraph(RELU);
  const json = JSON.parse(new TextDecoder().decode(model)) as Record<string, unknown>;
  return { model: new TextEncoder().encode(JSON.stringify(change(json))), weights };
}

describe('convertGraphModel', () => {
  test('names inputs and outputs like their nodes, channels first', () => {
    const made: HandMadeGraph = {
      ...RELU,
      x: [-1, 7, 10, 3],
      nodes: { ...RELU.nodes, z: { op: 'Identity', input: ['y'] } },
    };
    const { graph: converted } = decodeModel(convertGraphModel(handMadeGraph(made), ['z', 'y']));
    const dim = [{ dimParam: 'batch' }, { dimValue: 3 }, { dimValue: 7 }, { dimValue: 10 }];
    const type = { tensorType: { elemType: 1, shape: { dim } } };
    expect(converted.input).toEqual([{ name: 'x', type }]);
    expect(converted.output).toEqual([
      { name: 'z', type },
      { name: 'y', type },
    ]);
  });

  test('writes one node for a chain of bounds, and no unused constant', () => {
    const made = graph(
      { op: 'Maximum', input: ['min', 'floor'] },
      {
        weights: { ceiling: number(6), floor: number(0) },
        nodes: {
          relu: { op: 'Relu', input: ['x'] },
          min: { op: 'Minimum', input: ['relu', 'ceiling'] },
        },
      },
    );
    const { node, initializer } = decodeModel(convertGraphModel(handMadeGraph(made), ['y'])).graph;
    expect(node.map(({ opType, input }) => [opType, input])).toEqual([
      ['Clip', ['x', 'y:min', 'y:max']],
    ]);
    expect(initializer.map(({ name }) => name)).toEqual(['y:min', 'y:max']);
  });

  test('ignores nodes that the outputs do not need', () => {
    const made = {
      ...RELU,
      nodes: { ...RELU.nodes, after: { op: 'TopKV2', input: ['y'] } },
    };
    const { node } = decodeModel(convertGraphModel(handMadeGraph(made), ['y'])).graph;
    expect(node.map(({ opType }) => opType)).toEqual(['Relu']);
    expect(() => convertGraphModel(handMadeGraph(made), ['after'])).toThrow(
      new FileRefused('uses the operator TopKV2 (node "after"), which is not supported'),
    );
  });

  test.each<[string, { made: HandMadeGraph; output: string; message: string }]>([
    ['a missing output', { made: RELU, output: 'nothing', message: 'has no node "nothing"' }],
    [
      'a constant output',
      {
        made: { ...RELU, weights: { c: number(1) } },
        output: 'c',
        message: 'has the node "c" (Const), which is constant and cannot be an output',
      },
    ],
    [
      'a constant without weights',
      {
        made: { ...RELU, nodes: { c: { op: 'Const', input: [] } } },
        output: 'c',
        message: 'has the node "c" (Const), which has no weights',
      },
    ],
    [
      'an image of dynamic size',
      {
        made: { ...RELU, x: [1, -1, -1, 3] },
        output: 'y',
        message: 'has the node "x" (Placeholder), which has the shape [1, ?, ?, 3]',
      },
    ],
    [
      'an input that is not an image',
      {
        made: { ...RELU, x: [1, 3] },
        output: 'y',
        message: 'has the node "x" (Placeholder), which has the shape [1, 3]',
      },
    ],
  ])('refuses %s', (_what, { made, output, message }) => {
    expect(() => convertGraphModel(handMadeGraph(made), [output])).toThrow(
      new FileRefused(message),
    );
  });

  test.each<[string, GraphModelFiles, string]>([
    [
      'bytes that are not text',
      { model: Uint8Array.of(0xff, 0xfe), weights: new Uint8Array() },
      'is not JSON',
    ],
    [
      'a truncated model',
      { ...changed(String), model: new TextEncoder().encode('{"a":') },
      'is not JSON',
    ],
    ['a list', changed(() => []), 'is not a TensorFlow.js graph model (: Invalid input'],
    [
      'a layers model',
      changed((model) => ({ ...model, format: 'layers-model' })),
      'is not a TensorFlow.js graph model (format: Invalid input',
    ],
    [
      'a topology without nodes',
      changed((model) => ({ ...model, modelTopology: {} })),
      'is not a TensorFlow.js graph model (modelTopology.node: Invalid input',
    ],
    [
      'a weight of negative size',
      changed((model) => ({
        ...model,
        weightsManifest: [{ weights: [{ name: 'w', shape: [-1], dtype: 'float32' }] }],
      })),
      'is not a TensorFlow.js graph model (weightsManifest.0.weights.0.shape.0: Too small',
    ],
    [
      'two nodes with the same name',
      changed((model) => {
        const { node } = model.modelTopology as { node: object[] };
        return { ...model, modelTopology: { node: [...node, ...node] } };
      }),
      'has two nodes with the same name',
    ],
  ])('refuses %s', (_what, files, message) => {
    const convert = () => convertGraphModel(files, ['y']);
    expect(convert).toThrow(FileRefused);
    expect(convert).toThrow(message);
  });
});

const NETS = {
  faceres: {
    outputs: ['gender_pred/Sigmoid', 'age_pred/Softmax'],
    side: 224,
    preprocess: { mean: [103.939, 116.779, 123.68], std: [1, 1, 1], colorOrder: 'bgr' },
    photo: 'people/000_5.jpg',
    sha256: '1f529fc48894540ee9c201b83e4154b8072ac1092c617d74f77093352fff9ec6',
  },
  centernet: {
    outputs: ['tower_0/keypoints', 'tower_0/wh'],
    side: 512,
    preprocess: { mean: [0, 0, 0], std: [1, 1, 1], colorOrder: 'rgb' },
    photo: 'objects/bus.jpg',
    sha256: '84af3ee306f2e6b5ae7d26e8e2e24baf1cca69f2572808e8b996e467a769c5b0',
  },
} as const;

const ENTRIES = [
  ['faceres', NETS.faceres],
  ['centernet', NETS.centernet],
] as const;

describe.each(ENTRIES)('%s', (name, { outputs, sha256 }) => {
  test('is converted to the same bytes everywhere', () => {
    const converted = convertGraphModel(publishedModel(name), outputs);
    expect(createHash('sha256').update(converted).digest('hex')).toBe(sha256);
  });

  test('is refused if its weights are truncated', () => {
    const { model, weights } = publishedModel(name);
    const files = { model, weights: weights.subarray(0, -2) };
    expect(() => convertGraphModel(files, outputs)).toThrow(FileRefused);
  });
});

// In other runs than a soak the digests of the same networks have to do.
if (IS_SOAK)
  describeWithShared('converted networks compared with TensorFlow.js on a photo', () => {
    test.each(ENTRIES)('%s', async (name, { outputs, side, preprocess, photo }) => {
      const size = { width: side, height: side };
      const pixels = new Uint8Array(3 * side * side);
      const raster = await decodePhoto(shared('photos', photo));
      resizeBilinear(raster, size, { pixels, rowStride: 3 * side, offset: 0 });
      const input: FloatTensor = {
        data: packTensor(pixels, size, preprocess),
        dims: [1, 3, side, side],
      };
      const files = publishedModel(name);
      const expected = await runTensorflow(files, input, outputs);
      const actual = await runConverted(files, input, outputs);
      for (const [index, tensor] of expected.entries()) {
        expect(relativeError(actual[index]!, tensor)).toBeLessThan(1e-3);
      }
    });
  });
