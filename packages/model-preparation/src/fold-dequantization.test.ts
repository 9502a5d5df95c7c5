import { describe, expect, test } from '@jest/globals';
import type { GraphMessage, NodeMessage } from '@sightline/engine/onnx/model-proto';
import { foldDequantization } from './fold-dequantization.ts';
import { tensorValues } from '@sightline/engine/onnx/tensor-values';
import { graph, lengths, node, tensor, value } from '@sightline/engine/onnx/testing/small-graph';

const initializer = [
  tensor('q', 'int8', { dims: [2, 3], values: [1, 2, 3, 4, 5, 6] }),
  tensor('s', 'float32', { dims: [], values: [0.5] }),
  lengths('shape', [3, -1]),
];
const dequantized = node('DequantizeLinear', ['w', 'q', 's']);

function fold(nodes: NodeMessage[], parts: Partial<GraphMessage> = {}): GraphMessage {
  const outside = { input: [value('x', [2, 3])], output: [value('y', [2, 3])] };
  return foldDequantization(graph({ ...outside, initializer, ...parts, node: nodes }));
}

function folded(result: GraphMessage, name: string) {
  const found = result.initializer.find((candidate) => candidate.name === name);
  return found && { dims: found.dims, dataType: found.dataType, values: [...tensorValues(found)!] };
}

describe('foldDequantization', () => {
  test('creates float32 weights with the same name', () => {
    const add = node('Add', ['y', 'x', 'w']);
    const result = fold([dequantized, add]);
    expect(result.node).toEqual([add]);
    expect(folded(result, 'w')).toEqual({
      dims: [2, 3],
      dataType: 1,
      values: [0.5, 1, 1.5, 2, 2.5, 3],
    });
  });

  test.each<[number[], number[]]>([
    [
      [3, -1],
      [3, 2],
    ],
    [
      [0, 3, 1],
      [2, 3, 1],
    ],
    [[-1], [6]],
  ])('reshapes them as requested: %j', (asked, dims) => {
    const result = fold([dequantized, node('Reshape', ['r', 'w', 'shape'])], {
      initializer: [...initializer.slice(0, 2), lengths('shape', asked)],
    });
    expect(result.node).toEqual([]);
    expect(folded(result, 'r')).toMatchObject({ dims, values: [0.5, 1, 1.5, 2, 2.5, 3] });
  });

  test.each<[string, NodeMessage]>([
    ['into more values', node('Reshape', ['r', 'w', 'more'])],
    ['into rows of the wrong length', node('Reshape', ['r', 'w', 'uneven'])],
    ['into computed lengths', node('Reshape', ['r', 'w', 'computed'])],
    ['with literal zeros', node('Reshape', ['r', 'w', 'shape'], { allowzero: 1 })],
  ])('keeps a Reshape %s', (_what, reshape) => {
    const result = fold([dequantized, reshape], {
      initializer: [...initializer, lengths('more', [7]), lengths('uneven', [4, -1])],
    });
    expect(result.node).toEqual([reshape]);
    expect(folded(result, 'w')).toBeDefined();
  });

  const reading = [dequantized, node('Add', ['y', 'x', 'w'])];
  const untouched: [string, NodeMessage[], Partial<GraphMessage>][] = [
    ['computed values', [node('DequantizeLinear', ['w', 'x', 's'])], {}],
    ['a computed scale', [node('DequantizeLinear', ['w', 'q', 'x'])], {}],
    ['a computed zero point', [node('DequantizeLinear', ['w', 'q', 's', 'x'])], {}],
    ['other outputs', [node('DequantizeLinear', ['w', 'q', 's'], { output_dtype: 10 })], {}],
    ['an operator of another domain', [{ ...dequantized, domain: 'com.microsoft' }], {}],
    ['an output of the graph', reading, { output: [value('w', [2, 3])] }],
    ['a Reshape of other constants', [node('Reshape', ['r', 's', 'shape'])], {}],
    ['quantized activations', [...reading, node('QuantizeLinear', ['qx', 'x', 's'])], {}],
  ];

  test.each(untouched)('keeps %s', (_what, nodes, parts) => {
    const result = fold(nodes, parts);
    expect(result.node).toEqual(nodes);
    expect(result.initializer).toEqual(initializer);
  });
});
