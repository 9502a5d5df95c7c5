import { describe, expect, test } from '@jest/globals';
import { FileRefused } from '@sightline/engine/onnx/file-refused';
import { convertGraphModel } from './convert-graph-model.ts';
import {
  axis,
  flag,
  graph,
  type HandMadeGraph,
  handMadeGraph,
  integers,
  moving,
  number,
  text,
  texts,
  weights,
} from './testing/hand-made-graph.ts';

describe('unsupported variants of the operators are refused', () => {
  const conv = (attr: object, w = weights([3, 3, 3, 2])) =>
    graph(
      { op: 'Conv2D', input: ['x', 'w'], attr: { ...moving('SAME'), ...attr } },
      { weights: { w } },
    );
  const fused = (...names: string[]) =>
    graph(
      {
        op: '_FusedConv2D',
        input: ['x', 'w', 'b'],
        attr: { ...moving('SAME'), fused_ops: texts(...names) },
      },
      { weights: { w: weights([3, 3, 3, 2]), b: weights([3]) } },
    );

  test.each<[string, HandMadeGraph, string]>([
    ['dilation', conv({ dilations: integers(1, 2, 2, 1) }), '(Conv2D), which is dilated'],
    ['another layout', conv({ data_format: text('NCHW') }), 'which is not laid out as NHWC'],
    ['explicit padding', conv({ padding: text('EXPLICIT') }), 'which pads by EXPLICIT'],
    ['a stride across images', conv({ strides: integers(2, 1, 1, 1) }), 'strides of [2, 1, 1, 1]'],
    ['a stride of zero', conv({ strides: integers(1, 0, 1, 1) }), 'strides of [1, 0, 1, 1]'],
    ['no padding', conv({ padding: {} }), 'lacks the attribute padding'],
    [
      'a kernel for other channels',
      conv({}, weights([3, 3, 4, 2])),
      'which has a kernel for other than 3 channels',
    ],
    [
      'a kernel larger than the input',
      conv({ padding: text('VALID') }, weights([8, 1, 3, 1])),
      'which has a kernel larger than 10x7',
    ],
    ['a kernel of another rank', conv({}, weights([3])), 'has no constant of rank 4 as input 1'],
    ['other fused operations', fused('BiasAdd', 'Elu'), '(_FusedConv2D), which fuses BiasAdd, Elu'],
    ['a bias of another length', fused('BiasAdd'), 'which has a bias of 3 values'],
    [
      'a transposed matrix',
      graph(
        {
          op: '_FusedMatMul',
          input: ['mean', 'w'],
          attr: { fused_ops: texts(), transpose_b: flag(true) },
        },
        {
          weights: { axes: axis(1, 2), w: weights([6, 3]) },
          nodes: { mean: { op: 'Mean', input: ['x', 'axes'] } },
        },
      ),
      '(_FusedMatMul), which transposes',
    ],
    [
      'a product of shapes that do not match',
      graph(
        { op: '_FusedMatMul', input: ['mean', 'w'] },
        {
          weights: { axes: axis(1, 2), w: weights([4, 3]) },
          nodes: { mean: { op: 'Mean', input: ['x', 'axes'] } },
        },
      ),
      'which multiplies [1, 3] and [4, 3]',
    ],
    [
      'a mean over channels',
      graph({ op: 'Mean', input: ['x', 'axes'] }, { weights: { axes: axis(3) } }),
      'which is not over height and width',
    ],
    [
      'shapes that do not broadcast',
      graph({ op: 'Add', input: ['x', 'b'] }, { weights: { b: weights([4]) } }),
      'which combines the shapes [1, 7, 10, 3] and [4]',
    ],
    [
      'a vector and an image',
      graph(
        { op: 'Mul', input: ['x', 'mean'] },
        {
          weights: { axes: axis(1, 2) },
          nodes: { mean: { op: 'Mean', input: ['x', 'axes'] } },
        },
      ),
      'which combines 4 and 2 axes',
    ],
    [
      'the minimum of two computed values',
      graph(
        { op: 'Minimum', input: ['x', 'relu'] },
        { nodes: { relu: { op: 'Relu', input: ['x'] } } },
      ),
      'which does not compare a computed value with one number',
    ],
    [
      'a concatenation of images',
      graph(
        { op: 'ConcatV2', input: ['x', 'x', 'axis'] },
        { weights: { axis: { shape: [], values: [0], dtype: 'int32' } } },
      ),
      'along axis 0',
    ],
    [
      'a fractional axis',
      graph(
        { op: 'ConcatV2', input: ['x', 'x', 'axis'] },
        { weights: { axis: { shape: [], values: [1.5] } } },
      ),
      'along axis 1.5',
    ],
    [
      'parts of different sizes',
      graph(
        { op: 'ConcatV2', input: ['x', 'pooled', 'axis'] },
        {
          weights: { axis: { shape: [], values: [3], dtype: 'int32' }, axes: axis(1, 2) },
          nodes: { pooled: { op: 'Mean', input: ['x', 'axes'], attr: { keep_dims: flag(true) } } },
        },
      ),
      'which joins [1, 7, 10, 3] and [1, 1, 1, 3] along axis 3',
    ],
    [
      'a size of zero',
      graph({ op: 'ResizeBilinear', input: ['x', 'size'] }, { weights: { size: axis(0, 5) } }),
      'which resizes to [0, 5]',
    ],
    [
      'a fractional size',
      graph(
        { op: 'ResizeBilinear', input: ['x', 'size'] },
        { weights: { size: { shape: [2], values: [5.5, 5] } } },
      ),
      'which resizes to [5.5, 5]',
    ],
    [
      'two alignment modes',
      graph(
        {
          op: 'ResizeBilinear',
          input: ['x', 'size'],
          attr: { align_corners: flag(true), half_pixel_centers: flag(true) },
        },
        { weights: { size: axis(5, 5) } },
      ),
      'which aligns both corners and centers',
    ],
    ['no input', graph({ op: 'Sigmoid', input: [] }), 'which has no computed value as input 0'],
    [
      'constants alone',
      graph({ op: 'Mul', input: ['a', 'a'] }, { weights: { a: number(1) } }),
      'which computes a constant',
    ],
  ])('%s', (_what, made, message) => {
    const convert = () => convertGraphModel(handMadeGraph(made), ['y']);
    expect(convert).toThrow(FileRefused);
    expect(convert).toThrow(message);
  });
});
