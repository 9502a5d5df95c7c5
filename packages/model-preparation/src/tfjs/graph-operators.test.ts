import { describe, expect, test } from '@jest/globals';
import type { FloatTensor } from '@sightline/engine/onnx/session';
import {
  axis,
  flag,
  graph,
  type HandMadeGraph,
  handMadeGraph,
  integer,
  moving,
  number,
  numbers,
  texts,
  weights,
} from './testing/hand-made-graph.ts';
import { relativeError } from './testing/relative-error.ts';
import { runConverted } from './testing/run-converted.ts';
import { runTensorflow } from './testing/run-tensorflow.ts';

const GRAPHS: Readonly<Record<string, HandMadeGraph>> = {
  ...Object.fromEntries(
    (['SAME', 'VALID'] as const).flatMap((padding) =>
      [1, 2, 3].flatMap((stride) => [
        [
          `Conv2D ${padding} ${stride}`,
          graph(
            { op: 'Conv2D', input: ['x', 'w'], attr: moving(padding, stride) },
            { weights: { w: weights([3, 4, 3, 5]) } },
          ),
        ],
        [
          `DepthwiseConv2dNative ${padding} ${stride}`,
          graph(
            { op: 'DepthwiseConv2dNative', input: ['x', 'w'], attr: moving(padding, stride) },
            { weights: { w: weights([5, 3, 3, 2]) } },
          ),
        ],
      ]),
    ),
  ),
  '_FusedConv2D with a bias': graph(
    {
      op: '_FusedConv2D',
      input: ['x', 'w', 'b'],
      attr: { ...moving('SAME', 2), fused_ops: texts('BiasAdd'), num_args: integer(1) },
    },
    { weights: { w: weights([3, 3, 3, 4]), b: weights([4], 5) } },
  ),
  'FusedDepthwiseConv2dNative with a bias and a ReLU': graph(
    {
      op: 'FusedDepthwiseConv2dNative',
      input: ['x', 'w', 'b'],
      attr: { ...moving('SAME'), fused_ops: texts('BiasAdd', 'Relu'), num_args: integer(1) },
    },
    { weights: { w: weights([3, 3, 3, 1]), b: weights([3], 5) } },
  ),
  '_FusedMatMul after Mean': graph(
    {
      op: '_FusedMatMul',
      input: ['mean', 'w', 'b'],
      attr: {
        fused_ops: texts('BiasAdd', 'Relu'),
        num_args: integer(1),
        transpose_a: flag(false),
        transpose_b: flag(false),
      },
    },
    {
      weights: { axes: axis(1, 2), w: weights([3, 6]), b: weights([6], 4) },
      nodes: { mean: { op: 'Mean', input: ['x', 'axes'], attr: { keep_dims: flag(false) } } },
    },
  ),
  'Mean that keeps its axes, given from the end': graph(
    { op: 'Mean', input: ['x', 'axes'], attr: { keep_dims: flag(true) } },
    { weights: { axes: axis(-2, -3) } },
  ),
  'Add of a value per channel': graph(
    { op: 'Add', input: ['x', 'b'] },
    { weights: { b: weights([3]) } },
  ),
  'Mul by a number': graph({ op: 'Mul', input: ['b', 'x'] }, { weights: { b: number(0.25) } }),
  'Mul by a constant image': graph(
    { op: 'Mul', input: ['x', 'b'] },
    { weights: { b: weights([7, 10, 3]) } },
  ),
  'Mul by a mean': graph(
    { op: 'Mul', input: ['mean', 'x'] },
    {
      weights: { axes: axis(1, 2) },
      nodes: { mean: { op: 'Mean', input: ['x', 'axes'], attr: { keep_dims: flag(true) } } },
    },
  ),
  'Add of two vectors': graph(
    { op: 'Add', input: ['mean', 'b'] },
    {
      weights: { axes: axis(1, 2), b: weights([3]) },
      nodes: { mean: { op: 'Mean', input: ['x', 'axes'], attr: { keep_dims: flag(false) } } },
    },
  ),
  Relu: graph({ op: 'Relu', input: ['x'] }),
  Relu6: graph(
    { op: 'Relu6', input: ['wide'] },
    { weights: { b: number(9) }, nodes: { wide: { op: 'Mul', input: ['x', 'b'] } } },
  ),
  Minimum: graph({ op: 'Minimum', input: ['x', 'm'] }, { weights: { m: number(0.3) } }),
  Maximum: graph({ op: 'Maximum', input: ['m', 'x'] }, { weights: { m: number(-0.3) } }),
  'bounds on bounds': graph(
    { op: 'Maximum', input: ['min', 'floor'] },
    {
      weights: { ceiling: number(0.4), floor: number(0.1) },
      nodes: {
        relu: { op: 'Relu', input: ['x'] },
        min: { op: 'Minimum', input: ['relu', 'ceiling'] },
      },
    },
  ),
  'bounds that exclude each other': graph(
    { op: 'Minimum', input: ['max', 'ceiling'] },
    {
      weights: { ceiling: number(-0.4), floor: number(0.1) },
      nodes: { max: { op: 'Maximum', input: ['x', 'floor'] } },
    },
  ),
  'ConcatV2 of channels': graph(
    { op: 'ConcatV2', input: ['x', 'relu', 'axis'], attr: { N: integer(2) } },
    {
      weights: { axis: { shape: [], values: [3], dtype: 'int32' } },
      nodes: { relu: { op: 'Relu', input: ['x'] } },
    },
  ),
  'ConcatV2 of rows, counted from the end': graph(
    { op: 'ConcatV2', input: ['x', 'relu', 'x', 'axis'], attr: { N: integer(3) } },
    {
      weights: { axis: { shape: [], values: [-3], dtype: 'int32' } },
      nodes: { relu: { op: 'Relu', input: ['x'] } },
    },
  ),
  ...Object.fromEntries(
    [
      [false, false],
      [true, false],
      [false, true],
    ].flatMap(([corners, centers]) =>
      [
        [14, 20],
        [11, 17],
        [3, 4],
      ].map((size) => [
        `ResizeBilinear to ${size.join('x')}, corners ${corners}, centers ${centers}`,
        graph(
          {
            op: 'ResizeBilinear',
            input: ['x', 'size'],
            attr: { align_corners: flag(corners!), half_pixel_centers: flag(centers!) },
          },
          { weights: { size: axis(...size) } },
        ),
      ]),
    ),
  ),
  Sigmoid: graph({ op: 'Sigmoid', input: ['x'] }),
  'Softmax over channels': graph({ op: 'Softmax', input: ['x'] }),
  'Softmax of a vector': graph(
    { op: 'Softmax', input: ['mean'] },
    {
      weights: { axes: axis(1, 2) },
      nodes: { mean: { op: 'Mean', input: ['x', 'axes'], attr: { keep_dims: flag(false) } } },
    },
  ),
  Identity: graph(
    { op: 'Identity', input: ['relu'] },
    { nodes: { relu: { op: 'Relu', input: ['x'] } } },
  ),
};

describe('a converted operator computes what TensorFlow.js computes', () => {
  test.each(Object.keys(GRAPHS))('%s', async (name) => {
    const files = handMadeGraph(GRAPHS[name]!);
    const [expected] = await runTensorflow(files, image(1), ['y']);
    const [actual] = await runConverted(files, image(1), ['y']);
    expect(relativeError(actual!, expected!)).toBeLessThan(1e-5);
  });

  test('even for batches, if the model has a dynamic batch', async () => {
    const files = handMadeGraph({ ...GRAPHS['_FusedMatMul after Mean']!, x: [-1, 7, 10, 3] });
    for (const batch of [1, 3]) {
      const [expected] = await runTensorflow(files, image(batch), ['y', 'mean']);
      const [actual] = await runConverted(files, image(batch), ['y', 'mean']);
      expect(actual!.dims).toEqual([batch, 6]);
      expect(relativeError(actual!, expected!)).toBeLessThan(1e-5);
    }
  });
});

/** Noise as the input of the graphs. */
function image(batch: number): FloatTensor {
  return { data: Float32Array.from(numbers(batch * 210, 3)), dims: [batch, 3, 7, 10] };
}
