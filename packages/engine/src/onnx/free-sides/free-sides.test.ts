import { describe, expect, test } from '@jest/globals';
import { lengths, modelOf, node, tensor, value, weights } from '../testing/small-graph.ts';
import { decodeModel, encodeModel, type GraphMessage } from '../model-proto.ts';
import type { FloatTensor } from '../session.ts';
import { openBytes } from '../testing/open-bytes.ts';
import { freeSides } from './free-sides.ts';

const FULL = { width: 64, height: 64, step: 32 };
const IMAGE = [1, 3, 64, 64];

interface Level {
  readonly stride: number;
  /** The number of values per cell; default: 1. */
  readonly anchors?: number;
}

const counting = (name: string, dims: readonly number[]) =>
  tensor(name, 'float32', {
    dims,
    values: Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, index) => index / 8),
  });

const pool = (output: string, stride: number) =>
  node('AveragePool', [output, 'images'], {
    kernel_shape: [stride, stride],
    strides: [stride, stride],
  });

/** A head like that of YOLOv8: a column per cell, and a constant with a value for each cell. */
const COLUMNS: Partial<GraphMessage> = {
  input: [value('images', IMAGE)],
  output: [value('output', [1, 3, 80])],
  initializer: [
    counting('anchors', [1, 3, 80]),
    counting('strides', [1, 80]),
    lengths('any', [1, 3, -1]),
    lengths('few', [1, 3, 16]),
    lengths('split', [1, 1, 3, 80]),
    lengths('joined', [1, 3, 80]),
  ],
  node: [
    pool('p8', 8),
    pool('p16', 16),
    node('Reshape', ['c8', 'p8', 'any']),
    node('Reshape', ['c16', 'p16', 'few']),
    node('Concat', ['cells', 'c8', 'c16'], { axis: -1 }),
    node('Reshape', ['four', 'cells', 'split']),
    node('Transpose', ['turned', 'four'], { perm: [0, 2, 1, 3] }),
    node('Reshape', ['three', 'turned', 'joined']),
    node('Sub', ['moved', 'anchors', 'three']),
    node('Mul', ['output', 'moved', 'strides']),
  ],
};

/** A head like that of YOLOv5: a row per cell and anchor, and constants with the shape of a grid. */
const ROWS: Partial<GraphMessage> = {
  input: [value('images', IMAGE)],
  output: [value('output', [1, 240, 1])],
  initializer: [
    counting('grid8', [1, 3, 8, 8, 1]),
    counting('grid16', [1, 3, 4, 4, 1]),
    lengths('map8', [1, 3, 1, 8, 8]),
    lengths('map16', [1, 3, 1, 4, 4]),
    lengths('rows8', [1, 192, 1]),
    lengths('rows16', [1, -1, 1]),
  ],
  node: [
    ...[8, 16].flatMap((stride) => [
      pool(`p${stride}`, stride),
      node('Reshape', [`m${stride}`, `p${stride}`, `map${stride}`]),
      node('Transpose', [`t${stride}`, `m${stride}`], { perm: [0, 1, 3, 4, 2] }),
      node('Add', [`g${stride}`, `t${stride}`, `grid${stride}`]),
      node('Reshape', [`r${stride}`, `g${stride}`, `rows${stride}`]),
    ]),
    node('Concat', ['output', 'r8', 'r16'], { axis: 1 }),
  ],
};

/** A first layer like that of YOLOX, which takes every second pixel, and a map that was a list of cells in between. */
const SLICES: Partial<GraphMessage> = {
  input: [value('images', IMAGE)],
  output: [value('output', [1, 3, 1024])],
  initializer: [
    ...[0, 1, 2, 3].map((number) => lengths(`${number}`, [number])),
    lengths('end', [2 ** 31 - 1]),
    lengths('cells', [1, 3, 1024]),
    lengths('map', [1, 3, 32, 32]),
    counting('position', [1, 3, 32, 32]),
  ],
  node: [
    node('Slice', ['rows', 'images', '1', 'end', '2', '2']),
    node('Slice', ['pixels', 'rows', '0', 'end', '3', '2']),
    node('Reshape', ['listed', 'pixels', 'cells']),
    node('Reshape', ['mapped', 'listed', 'map']),
    node('Add', ['placed', 'mapped', 'position']),
    node('Reshape', ['output', 'placed', 'cells']),
  ],
};

function image(height: number, width: number): FloatTensor {
  const full = 64;
  const data = new Float32Array(3 * height * width);
  for (let index = 0; index < data.length; index++) {
    const channel = Math.floor(index / (height * width));
    const [row, column] = [Math.floor(index / width) % height, index % width];
    data[index] = (((channel * full + row) * full + column) * 37) % 256;
  }
  return { data, dims: [1, 3, height, width] };
}

async function run(bytes: Uint8Array, images: FloatTensor): Promise<FloatTensor> {
  await using session = await openBytes(bytes);
  return (await session.run({ images })).output!;
}

/** The indices, among the cells of the full grid, of the cells of a smaller image. */
function cellsOf(levels: readonly Level[], height: number, width: number): number[] {
  let offset = 0;
  return levels.flatMap(({ stride, anchors = 1 }) => {
    const side = 64 / stride;
    const start = offset;
    offset += anchors * side * side;
    const all = Array.from({ length: anchors * side * side }, (_, index) => index);
    return all
      .filter((index) => Math.floor(index / side) % side < height / stride)
      .filter((index) => index % side < width / stride)
      .map((index) => start + index);
  });
}

describe('freeSides', () => {
  test.each<[string, Partial<GraphMessage>, Level[]]>([
    ['a column per cell', COLUMNS, [{ stride: 8 }, { stride: 16 }]],
    ['rows per cell', ROWS, [8, 16].map((stride) => ({ stride, anchors: 3 }))],
    ['slices of the image', SLICES, [{ stride: 2 }]],
  ])('frees a network with %s', async (_what, parts, levels) => {
    const bytes = modelOf(parts);
    const freed = freeSides(bytes, FULL)!;
    const whole = await run(bytes, image(64, 64));
    expect(await run(freed, image(64, 64))).toEqual(whole);
    const count = whole.dims[1] === 3 ? whole.dims[2]! : whole.dims[1]!;
    for (const [height, width] of [
      [64, 32],
      [32, 64],
      [32, 32],
    ] as const) {
      const cells = cellsOf(levels, height, width);
      const rows = Array.from({ length: whole.data.length / count }, (_, row) => row * count);
      const { data, dims } = await run(freed, image(height, width));
      expect([...data]).toEqual(rows.flatMap((row) => cells.map((cell) => whole.data[row + cell])));
      expect(dims).toEqual(whole.dims.map((length) => (length === count ? cells.length : length)));
    }
  });

  test('declares free sides and drops the shapes of intermediate values', () => {
    const bytes = modelOf({ ...COLUMNS, valueInfo: [value('cells', [1, 3, 80])] });
    const { graph } = decodeModel(freeSides(bytes, FULL)!);
    const dims = [...graph.input, ...graph.output].map(({ type }) => type!.tensorType!.shape!.dim);
    expect(dims).toEqual([
      [{ dimValue: 1 }, { dimValue: 3 }, {}, {}],
      [{ dimValue: 1 }, { dimValue: 3 }, {}],
    ]);
    expect(graph.valueInfo).toEqual([]);
  });

  const small = (...nodes: NonNullable<GraphMessage['node']>): Partial<GraphMessage> => ({
    input: [value('images', IMAGE)],
    output: [value('output', [1, 3, 8, 8])],
    node: nodes,
    initializer: [
      weights('kernel', [3, 3, 3, 3]),
      weights('seven', [7]),
      lengths('2', [2]),
      lengths('8', [8]),
      lengths('zero', [0]),
      lengths('sides', [1, 3, 8, 8]),
      lengths('mixed', [1, 64, 64, 3]),
      lengths('merged', [192, 64]),
      lengths('thirds', [1, 3, 128, 32]),
    ],
  });

  test.each<[string, Partial<GraphMessage>]>([
    ['pools the whole image', small(node('GlobalAveragePool', ['output', 'images']))],
    ['resizes to a fixed size', small(node('Resize', ['output', 'images', '', '', 'sides']))],
    ['cuts the image', small(node('Slice', ['output', 'images', 'zero', '8', '2']))],
    [
      'cuts the image where it computes',
      small(
        node('Identity', ['start', 'zero']),
        node('Identity', ['end', '8']),
        node('Slice', ['output', 'images', 'start', 'end']),
      ),
    ],
    ['reads its shape', small(node('Shape', ['output', 'images']))],
    [
      'divides the sides inexactly',
      small(node('Conv', ['output', 'images', 'kernel'], { strides: [2, 2] })),
    ],
    ['shrinks by the padding', small(node('Conv', ['output', 'images', 'kernel']))],
    ['has a larger stride', small(pool('output', 64))],
    ['has an odd stride', small(pool('output', 3))],
    ['does not keep the pixels in order', small(node('Reshape', ['output', 'images', 'mixed']))],
    ['splits a side', small(node('Reshape', ['output', 'images', 'thirds']))],
    ['adds a constant of another length', small(node('Add', ['output', 'images', 'seven']))],
    [
      'joins a side and a constant',
      small(node('Concat', ['output', 'images', 'kernel'], { axis: 3 })),
    ],
    ['reads a value that no node writes', small(node('Relu', ['output', 'missing']))],
    ['has another size', { ...COLUMNS, input: [value('images', [1, 3, 64, 96])] }],
    ['is free', { ...COLUMNS, input: [value('images', [1, 3, 'height', 'width'])] }],
    ['has two inputs', { ...COLUMNS, input: [value('images', IMAGE), value('more', [1])] }],
  ])('refuses a graph that %s', (_what, parts) => {
    expect(freeSides(modelOf(parts), FULL)).toBeUndefined();
  });

  test('joins channels and rows', async () => {
    const bytes = modelOf({
      ...small(node('Reshape', ['output', 'images', 'merged'])),
      output: [value('output', [192, 64])],
    });
    const { data, dims } = await run(freeSides(bytes, FULL)!, image(32, 64));
    expect(dims).toEqual([96, 64]);
    expect(data).toEqual(image(32, 64).data);
  });

  test('refuses old operator sets, foreign operators and functions', () => {
    const model = decodeModel(modelOf(COLUMNS));
    const foreign = model.graph.node.map((each) => Object.assign({}, each, { domain: 'a.b' }));
    const variants = [
      { ...model, opsetImport: [{ version: 10 }] },
      { ...model, graph: { ...model.graph, node: foreign } },
      { ...model, functions: [{ name: 'Concat' }] },
    ];
    for (const variant of variants) {
      expect(freeSides(encodeModel(variant), FULL)).toBeUndefined();
    }
  });
});
