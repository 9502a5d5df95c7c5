import { describe, expect, test } from '@jest/globals';
import type { GraphMessage, NodeMessage, ValueMessage } from '@sightline/engine/onnx/model-proto';
import { freeDimensions } from './free-dimensions.ts';
import { tensorValues } from './tensor-values.ts';
import { graph, lengths, node, tensor, value, weights } from './testing/small-graph.ts';

const IMAGE = [1, 3, 8, 8] as const;
const OPEN = ['batch', 3, 'height', 'width'];
const conv = node('Conv', ['a', 'x', 'kernel']);

/** A graph with the input `x` and the output `y`, which declares the given dimensions. */
function free(nodes: NodeMessage[], dims: (number | string)[], parts: Partial<GraphMessage> = {}) {
  return freeDimensions(
    graph({
      input: [value('x', IMAGE)],
      output: [value('y', dims)],
      node: nodes,
      ...parts,
      initializer: [weights('kernel', [4, 3, 3, 3]), ...(parts.initializer ?? [])],
    }),
  );
}

/** The lengths or names of the dimensions; '' for a free dimension without a name. */
function dimsOf([first]: readonly ValueMessage[]): (number | string)[] | undefined {
  const dims = first!.type?.tensorType?.shape?.dim;
  return dims?.map(({ dimValue, dimParam = '' }) => dimValue ?? dimParam);
}

const all = (result: GraphMessage) => [dimsOf(result.input), dimsOf(result.output)];

describe('freeDimensions', () => {
  test('frees batch, height and width of a convolutional network, but not the numbers of channels', () => {
    const nodes = [
      conv,
      node('PRelu', ['b', 'a', 'slope']),
      node('MaxPool', ['c', 'b'], { kernel_shape: [2, 2], strides: [2, 2] }),
      node('Resize', ['d', 'c', '', 'twice']),
      node('Add', ['e', 'b', 'd']),
      node('BatchNormalization', ['f', 'e', 'per', 'per', 'per', 'per']),
      node('Mul', ['y', 'f', 'factor']),
    ];
    const initializer = [
      weights('slope', [4, 1, 1]),
      tensor('twice', 'float32', { dims: [4], values: [1, 1, 2, 2] }),
      weights('per', [4]),
      weights('factor', [1]),
    ];
    expect(all(free(nodes, [1, 4, 6, 6], { initializer }))).toEqual([OPEN, ['batch', 4, '', '']]);
  });

  test('changes a Reshape that names the batch to copy it', () => {
    const nodes = [
      conv,
      node('Transpose', ['b', 'a'], { perm: [0, 2, 3, 1] }),
      node('Reshape', ['y', 'b', 'cells']),
      node('Reshape', ['z', 'kernel', 'cells']),
    ];
    const result = free(nodes, [1, 36, 4], { initializer: [lengths('cells', [1, -1, 4])] });
    expect(all(result)).toEqual([OPEN, ['batch', '', 4]]);
    const shapes = result.node.slice(2).map(({ input }) => {
      const shape = result.initializer.find(({ name }) => name === input[1]);
      return [...tensorValues(shape!)!];
    });
    // The second Reshape has no batch, so it stays unchanged.
    expect(shapes).toEqual([
      [0, -1, 4],
      [1, -1, 4],
    ]);
  });

  test('chooses an unused name for the new shape', () => {
    const shape = lengths('s', [1, -1, 4]);
    const taken = [weights('s:0,-1,4', [1]), shape];
    const nodes = [
      conv,
      node('Transpose', ["s:0,-1,4'", 'a'], { perm: [0, 2, 3, 1] }),
      node('Reshape', ['y', "s:0,-1,4'", 's']),
    ];
    const result = free(nodes, [1, 36, 4], { initializer: taken });
    expect(result.node[2]!.input[1]).toBe("s:0,-1,4''");
    expect(result.initializer.map(({ name }) => name)).toEqual([
      'kernel',
      's:0,-1,4',
      's',
      "s:0,-1,4''",
    ]);
  });

  const dense = [
    conv,
    node('Flatten', ['b', 'a']),
    node('Gemm', ['y', 'b', 'matrix', 'bias'], { transB: 1 }),
  ];
  const matrix = [weights('matrix', [10, 144]), weights('bias', [10])];

  test('frees only the batch if a matrix fixes height and width', () => {
    expect(all(free(dense, [1, 10], { initializer: matrix }))).toEqual([
      ['batch', 3, 8, 8],
      ['batch', 10],
    ]);
  });

  test.each([
    {
      where: 'the members of a batch are merged',
      perm: [2, 3, 0, 1],
      requested: [-1, 4],
      output: ['', 4],
    },
    {
      where: 'the batch is not the first dimension',
      perm: [3, 2, 1, 0],
      requested: [0, -1],
      output: ['', ''],
    },
  ])('frees only height and width if $where', ({ perm, requested, output }) => {
    const nodes = [
      conv,
      node('Transpose', ['b', 'a'], { perm }),
      node('Reshape', ['y', 'b', 'requested']),
    ];
    const result = free(nodes, [36, 4], { initializer: [lengths('requested', requested)] });
    expect(all(result)).toEqual([[1, 3, 'height', 'width'], output]);
  });

  const constants = [
    weights('image', [1, 4, 6, 6]),
    weights('pictures', [8, 4, 6, 6]),
    tensor('twice', 'float32', { dims: [4], values: [2, 1, 1, 1] }),
    lengths('size', [1, 4, 9, 9]),
    lengths('every', [1, 36, 4]),
    lengths('rest', [1, -1, 16]),
    lengths('rows', [-1, 36]),
    lengths('kept', [0, 36, 4]),
    lengths('row', [-1, 4]),
  ];
  const pool = node('GlobalAveragePool', ['b', 'a']);

  test.each<[string, NodeMessage[], number[]]>([
    ['adds an image of a fixed size', [node('Add', ['y', 'a', 'image'])], [1, 4, 6, 6]],
    ['has a slope per pixel', [node('PRelu', ['y', 'a', 'image'])], [1, 4, 6, 6]],
    ['pools the whole image', [pool, node('Relu', ['y', 'b'])], [1, 4, 1, 1]],
    ['reshapes to fixed lengths', [node('Reshape', ['y', 'a', 'every'])], [1, 36, 4]],
    [
      'reshapes to fixed lengths except for the batch',
      [node('Reshape', ['y', 'a', 'kept'])],
      [1, 36, 4],
    ],
    ['reshapes to rows that may not fit', [node('Reshape', ['y', 'a', 'rest'])], [1, 9, 16]],
    ['reshapes each member to one row', [pool, node('Reshape', ['y', 'b', 'row'])], [1, 4]],
  ])('frees only the batch of a network that %s', (_what, nodes, dims) => {
    const result = free([conv, ...nodes], dims, { initializer: constants });
    expect(all(result)).toEqual([
      ['batch', 3, 8, 8],
      ['batch', ...dims.slice(1)],
    ]);
  });

  const relu = node('Relu', ['y', 'a']);
  const reshape = (shape: string, attributes = {}) =>
    node('Reshape', ['y', 'a', shape], attributes);
  const nothing: [string, NodeMessage[], Partial<GraphMessage>][] = [
    [
      'an operator that may mix the members of a batch',
      [node('DynamicQuantizeLinear', ['y', 'a'])],
      {},
    ],
    ['an operator of another domain', [{ ...relu, domain: 'com.microsoft' }], {}],
    ['an undefined value', [node('Add', ['y', 'a', 'missing'])], {}],
    ['an image per member of the batch', [node('Add', ['y', 'a', 'pictures'])], {}],
    ['a fixed target size', [node('Resize', ['y', 'a', '', '', 'size'])], {}],
    ['rows across members of the batch', [reshape('rows')], {}],
    ['literal zeros', [reshape('kept', { allowzero: 1 })], {}],
    ['a computed shape', [reshape('a')], {}],
    [
      'the batch at the position of pixels',
      [node('Transpose', ['b', 'a']), node('MaxPool', ['y', 'b'])],
      {},
    ],
    ['training', [node('BatchNormalization', ['y', 'a'], { training_mode: 1 })], {}],
    ['dropout that may be in training mode', [node('Dropout', ['y', 'a', '', 'every'])], {}],
    ['computed weights', [node('Conv', ['y', 'x', 'a'])], {}],
    ['two inputs', [relu], { input: [value('x', IMAGE), value('size', [2])] }],
    ['an input that is not an image', [relu], { input: [value('x', [1, 3, 8])] }],
    ['an undefined output', [relu], { output: [value('elsewhere', [1])] }],
    ['an output of another rank', [relu], { output: [value('y', [1, 4])] }],
  ];

  test.each(nothing)('frees nothing with %s', (_what, nodes, parts) => {
    const before = graph({
      input: [value('x', IMAGE)],
      output: [value('y', [1, 4, 6, 6])],
      initializer: [weights('kernel', [4, 3, 3, 3]), ...constants],
      node: [conv, ...nodes],
      ...parts,
    });
    expect(freeDimensions(before)).toEqual(before);
  });

  test('frees only height and width if the batch is resized', () => {
    const resize = node('Resize', ['y', 'a', '', 'twice']);
    expect(all(free([conv, resize], [2, 4, 6, 6], { initializer: constants }))).toEqual([
      [1, 3, 'height', 'width'],
      [2, 4, '', ''],
    ]);
  });

  test('keeps a free batch that a Reshape fixes to one', () => {
    const result = free([conv, reshape('every')], [1, 36, 4], {
      input: [value('x', ['n', 3, 8, 8])],
      initializer: constants,
    });
    expect(all(result)).toEqual([
      ['n', 3, 8, 8],
      [1, 36, 4],
    ]);
  });

  test("frees a batch whose output was declared with an example's length", () => {
    const result = free(dense, [1, 10], {
      input: [value('x', ['n', 3, 8, 8])],
      initializer: matrix,
    });
    expect(all(result)).toEqual([
      ['batch', 3, 8, 8],
      ['batch', 10],
    ]);
  });
});
