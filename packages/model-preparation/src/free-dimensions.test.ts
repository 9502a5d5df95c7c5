import { describe, expect, test } from '@jest/globals';
import type { ValueMessage } from '@sightline/engine/onnx/model-proto';
import { tensorValues } from '@sightline/engine/onnx/tensor-values';
import { FREE_BATCH, FREE_BATCH_AND_SIZE, freeDimensions } from './free-dimensions.ts';
import { graph, lengths, node, value, weights } from '@sightline/engine/onnx/testing/small-graph';

const conv = node('Conv', ['a', 'x', 'kernel']);
const detector = graph({
  input: [value('x', [1, 3, 8, 8])],
  output: [value('y', [1, 36, 4]), value('z', [1, 9, 4])],
  initializer: [
    weights('kernel', [4, 3, 3, 3]),
    weights('bias', [4]),
    lengths('cells', [1, -1, 4]),
    lengths('rows', [-1, 4]),
  ],
  node: [
    conv,
    node('Transpose', ['b', 'a'], { perm: [0, 2, 3, 1] }),
    node('Reshape', ['y', 'b', 'cells']),
    node('Reshape', ['c', 'bias', 'cells']),
    node('Reshape', ['d', 'b', 'rows']),
    { ...node('Reshape', ['e', 'b', 'cells']), domain: 'com.microsoft' },
  ],
});

/** The lengths or names of the dimensions; '' for a free dimension without a name. */
function dimsOf(values: readonly ValueMessage[]): (number | string)[][] {
  return values.map(({ type }) =>
    type!.tensorType!.shape!.dim.map(({ dimValue, dimParam = '' }) => dimValue ?? dimParam),
  );
}

describe('freeDimensions', () => {
  test('frees the batch alone', () => {
    const { input, output } = freeDimensions(detector, FREE_BATCH);
    expect(dimsOf(input)).toEqual([['batch', 3, 8, 8]]);
    expect(dimsOf(output)).toEqual([
      ['batch', 36, 4],
      ['batch', 9, 4],
    ]);
  });

  test('frees batch, height and width, and names no lengths of outputs that differ', () => {
    const { input, output } = freeDimensions(detector, FREE_BATCH_AND_SIZE);
    expect(dimsOf(input)).toEqual([['batch', 3, 'height', 'width']]);
    expect(dimsOf(output)).toEqual([
      ['batch', '', 4],
      ['batch', '', 4],
    ]);
  });

  test('changes a Reshape of the images to a batch of one to copy the batch, and no other node', () => {
    const { node: nodes, initializer } = freeDimensions(detector, FREE_BATCH);
    const [changed] = nodes.slice(2);
    expect(nodes.with(2, detector.node[2]!)).toEqual(detector.node);
    const shape = initializer.find(({ name }) => name === changed!.input[1]);
    expect([...tensorValues(shape!)!]).toEqual([0, -1, 4]);
    expect(initializer.slice(0, -1)).toEqual(detector.initializer);
  });
});
