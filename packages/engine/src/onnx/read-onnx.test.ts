import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { shared } from '@sightline/test/support/fixtures/shared';
import { FileRefused } from './file-refused.ts';
import { readOnnx } from './read-onnx.ts';
import { encodeFields } from './testing/hand-made-model.ts';

const float = (...dims: (number | string)[]) => ({
  tensorType: {
    elemType: 1,
    shape: {
      dim: dims.map((dim) => (typeof dim === 'number' ? { dimValue: dim } : { dimParam: dim })),
    },
  },
});

const SMALL = {
  opsetImport: [{ version: 17 }, { domain: 'com.microsoft', version: 1 }],
  metadataProps: [{ key: 'task', value: 'detect' }],
  graph: {
    name: 'small',
    input: [
      { name: 'image', type: float('batch', 3, 640, 640) },
      { name: 'weight', type: float(8, 3) },
    ],
    output: [{ name: 'scores', type: float(1, 84, 8400) }, { name: 'unshaped' }],
    initializer: [{ name: 'weight', dataType: 1, dims: [8, 3] }],
    sparseInitializer: [{ values: { name: 'sparse' }, indices: { name: 'at' } }],
    node: [
      { name: 'conv', opType: 'Conv', input: ['image', 'weight'], output: ['scores'] },
      {
        opType: 'If',
        attribute: [
          { name: 'then_branch', g: { name: 'then', node: [{ opType: 'Relu' }] } },
          { name: 'constant', t: { name: 'c', dims: [2] } },
        ],
      },
    ],
  },
  functions: [{ name: 'Gelu', domain: 'local', node: [{ opType: 'Erf', domain: 'ai.onnx' }] }],
};

describe('readOnnx', () => {
  test('reads inputs, outputs, nodes and metadata', () => {
    const model = readOnnx(encodeFields(SMALL));
    expect(model.irVersion).toBe(8);
    expect(model.opsetImports).toEqual([
      { domain: '', version: 17 },
      { domain: 'com.microsoft', version: 1 },
    ]);
    expect(model.metadata.get('task')).toBe('detect');
    expect(model.graph.inputs).toEqual([
      { name: 'image', elementType: 1, dims: [null, 3, 640, 640] },
    ]);
    expect(model.graph.outputs).toEqual([
      { name: 'scores', elementType: 1, dims: [1, 84, 8400] },
      { name: 'unshaped', elementType: 0, dims: null },
    ]);
    expect(model.graph.initializers.map(({ name }) => name)).toEqual(['weight', 'sparse', 'at']);
    expect(model.graph.nodes[0]).toEqual({
      name: 'conv',
      opType: 'Conv',
      domain: '',
      inputs: ['image', 'weight'],
      outputs: ['scores'],
      attributes: [],
    });
    const [then, constant] = model.graph.nodes[1]!.attributes;
    expect(then!.graphs[0]!.nodes[0]!.opType).toBe('Relu');
    expect(constant!.tensors).toEqual([
      { name: 'c', elementType: 0, dims: [2], location: 'embedded' },
    ]);
    expect(model.functions[0]!.nodes[0]).toMatchObject({ opType: 'Erf', domain: 'ai.onnx' });
  });

  test('merges the parts of a message that occurs twice, as onnxruntime does', () => {
    const rest = encodeFields({ graph: { initializer: [{ name: 'late', dataLocation: 1 }] } });
    const model = readOnnx(Buffer.concat([encodeFields(SMALL), rest]));
    expect(model.graph.name).toBe('small');
    expect(model.graph.initializers.find(({ name }) => name === 'late')?.location).toBe('external');
  });

  test('skips a field with another wire type, as onnxruntime does', () => {
    const unsafe = encodeFields({ graph: { node: [{ opType: 'EPContext' }] } });
    // The graph's field number has the wire type of a number. A reader that took the number as a
    // length would skip the rest of the file.
    const disguised = Buffer.concat([Buffer.from([7 << 3, unsafe.length]), unsafe]);
    expect(readOnnx(disguised).graph.nodes.map(({ opType }) => opType)).toEqual(['EPContext']);
  });

  test.each([
    ['nothing', new Uint8Array()],
    ['a text', Buffer.from('not a model at all, just a sentence')],
    ['an image', Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46])],
    ['an HTML page', Buffer.from('<!doctype html><title>404</title>')],
    ['a Git LFS pointer', Buffer.from('version https://git-lfs.github.com/spec/v1\n')],
    ['a model without a graph', encodeFields({})],
    ['a model without a version', encodeFields({ irVersion: undefined, graph: {} })],
  ])('refuses %s', (_what, bytes) => {
    expect(() => readOnnx(bytes)).toThrow(/^is not an ONNX model/);
  });

  test('refuses a truncated model, wherever it ends', () => {
    const bytes = encodeFields(SMALL);
    const graphEnd = encodeFields({ graph: SMALL.graph }).length;
    for (let length = 0; length < graphEnd; length++) {
      expect(() => readOnnx(bytes.subarray(0, length))).toThrow(/not an ONNX model/);
    }
  });

  test('decodes or refuses any bytes', () => {
    const original = encodeFields(SMALL);
    const place = fc.nat(original.length - 1);
    fc.assert(
      fc.property(fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1 }), (changes) => {
        const bytes = original.slice();
        for (const [at, value] of changes) bytes[at] = value;
        try {
          expect(readOnnx(bytes).graph.nodes).toBeInstanceOf(Array);
        } catch (error) {
          expect(error).toBeInstanceOf(FileRefused);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('refuses endlessly nested graphs', () => {
    let graph: object = { name: 'innermost' };
    for (let depth = 0; depth < 20; depth++) {
      graph = { node: [{ opType: 'If', attribute: [{ name: 'then_branch', g: graph }] }] };
    }
    expect(() => readOnnx(encodeFields({ graph }))).not.toThrow();
    let bytes = Buffer.alloc(0);
    // Field 1 of a graph is a node, field 5 of a node is an attribute, and field 6 of an attribute
    // is a graph.
    for (let depth = 0; depth < 3_000; depth++) bytes = wrap([1, 5, 6][2 - (depth % 3)]!, bytes);
    const model = Buffer.concat([encodeFields({}), wrap(7, bytes)]);
    expect(() => readOnnx(model)).toThrow(/not an ONNX model/);
  });
});

function wrap(field: number, inner: Buffer): Buffer<ArrayBuffer> {
  const length: number[] = [];
  for (let rest = inner.length; rest > 127; rest >>>= 7) length.push((rest & 127) | 128);
  length.push(inner.length >>> (7 * length.length));
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...length]), inner]);
}

describeWithShared('readOnnx on real models', () => {
  test('reads a face detector with dynamic height and width', () => {
    const { graph } = readOnnx(readFileSync(shared('packs/insightface/scrfd_2.5g_bnkps.onnx')));
    expect(graph.inputs).toEqual([{ name: 'input.1', elementType: 1, dims: [1, 3, null, null] }]);
    expect(graph.outputs.map(({ dims }) => dims)).toEqual(
      [1, 1, 1, 4, 4, 4, 10, 10, 10].map((width) => [null, width]),
    );
  });

  test('reads an object detector and the metadata of its exporter', () => {
    const model = readOnnx(readFileSync(shared('packs/yolov8n/yolov8n_int8.onnx')));
    expect(model.graph.outputs[0]!.dims).toEqual([1, 84, 8400]);
    expect(model.metadata.get('task')).toBe('detect');
  });
});
