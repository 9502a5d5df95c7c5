import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { shared } from '@sightline/test/support/fixtures/shared';
import { FileRefused } from './file-refused.ts';
import { decodeModel, encodeModel, type ModelMessage } from './model-proto.ts';
import { readOnnx } from './read-onnx.ts';
import { encodeFields } from './testing/hand-made-model.ts';

const text = (value: string) => Buffer.from(value);

const FULL: ModelMessage = {
  irVersion: 10,
  opsetImport: [{ version: 21 }, { domain: 'com.microsoft', version: 1 }],
  producerName: 'hand',
  metadataProps: [{ key: 'task', value: 'test' }],
  graph: {
    name: 'full',
    input: [
      {
        name: 'x',
        type: {
          tensorType: {
            elemType: 1,
            shape: { dim: [{ dimParam: 'batch' }, {}, { dimValue: 3 }] },
          },
        },
      },
    ],
    output: [{ name: 'y' }],
    valueInfo: [{ name: 'between' }],
    initializer: [
      {
        name: 'raw',
        dims: [2],
        dataType: 1,
        rawData: new Uint8Array([0, 0, 128, 63, 0, 0, 0, 64]),
      },
      { name: 'floats', dims: [3], dataType: 1, floatData: [0.5, -1, Infinity] },
      { name: 'bytes', dims: [2], dataType: 3, int32Data: [-128, 127] },
      { name: 'lengths', dims: [3], dataType: 7, int64Data: [-1, 2 ** 40, 2 ** 63] },
    ],
    sparseInitializer: [
      {
        values: { name: 'sparse', dims: [1], dataType: 1, floatData: [1] },
        indices: { name: 'at', dims: [1], dataType: 7, int64Data: [4] },
        dims: [8],
      },
    ],
    node: [
      {
        name: 'all kinds',
        opType: 'Any',
        domain: 'com.microsoft',
        input: ['x', '', 'raw'],
        output: ['y'],
        attribute: [
          { name: 'f', type: 1, f: 0.25 },
          { name: 'i', type: 2, i: -7 },
          { name: 's', type: 3, s: text('nearest') },
          { name: 't', type: 4, t: { dims: [], dataType: 1, floatData: [2] } },
          {
            name: 'g',
            type: 5,
            g: { name: 'inner', node: [], initializer: [], input: [], output: [] },
          },
          { name: 'floats', type: 6, floats: [0.5, 1.5] },
          { name: 'ints', type: 7, ints: [0, -1, 2 ** 33] },
          { name: 'strings', type: 8, strings: [text('a'), text('')] },
        ],
      },
    ],
  },
};

describe('encodeModel and decodeModel', () => {
  test('a model survives encoding and decoding unchanged', () => {
    expect(decodeModel(encodeModel(FULL))).toMatchObject(FULL);
  });

  test('a decoded model is encoded to the same bytes', () => {
    const bytes = encodeModel(FULL);
    expect(Buffer.compare(encodeModel(decodeModel(bytes)), bytes)).toBe(0);
  });

  test('functions of the file survive with all their fields', () => {
    const bytes = encodeFields({
      graph: {},
      functions: [
        {
          name: 'Gelu',
          domain: 'local',
          input: ['x'],
          output: ['y'],
          attribute: ['alpha'],
          opsetImport: [{ version: 17 }],
          node: [{ opType: 'Erf', attribute: [{ name: 'a', refAttrName: 'alpha', type: 1 }] }],
        },
      ],
    });
    expect(Buffer.compare(encodeModel(decodeModel(bytes)), bytes)).toBe(0);
  });

  test('weights are views of the bytes, not copies', () => {
    for (const bytes of [new Uint8Array(encodeModel(FULL)), Buffer.from(encodeModel(FULL))]) {
      const { rawData } = decodeModel(bytes).graph.initializer[0]!;
      expect(rawData!.buffer).toBe(bytes.buffer);
      bytes.set([42], rawData!.byteOffset - bytes.byteOffset);
      expect(rawData![0]).toBe(42);
    }
  });

  test('decodes packed, unpacked and mixed lists of numbers', () => {
    // Field 8 of an attribute is ints, and field 7 is floats. Both come unpacked (wire types 0 and
    // 5) and packed (wire type 2).
    const ints = [0x40, 1, 0x42, 2, 2, 3, 0x40, 4];
    const floats = [0x3d, 0, 0, 0x80, 0x3f, 0x3a, 4, 0, 0, 0, 0x40];
    const attribute = [0x2a, ints.length + floats.length, ...ints, ...floats];
    const node = [0x0a, attribute.length, ...attribute];
    const model = Uint8Array.from([0x08, 8, 0x3a, node.length, ...node]);
    const [read] = decodeModel(model).graph.node[0]!.attribute!;
    expect(read).toMatchObject({ ints: [1, 2, 3, 4], floats: [1, 2] });
  });

  test('preserves the largest integer, which exporters write for "to the end"', () => {
    const largest = 0x7f_ff_ff_ff_ff_ff_ff_ffn;
    const bytes = encodeFields({
      graph: { node: [{ attribute: [{ name: 'ends', ints: [String(largest)] }] }] },
    });
    expect(Buffer.compare(encodeModel(decodeModel(bytes)), bytes)).toBe(0);
  });

  test('absent lists are empty', () => {
    const { graph } = decodeModel(encodeFields({ graph: { node: [{ opType: 'Constant' }] } }));
    expect(graph.initializer).toEqual([]);
    expect(graph.node[0]).toMatchObject({ input: [], output: [], attribute: [] });
  });
});

describe('decodeModel', () => {
  test.each([
    ['nothing', new Uint8Array()],
    ['an HTML page', text('<!doctype html><title>404</title>')],
    ['a model without a graph', encodeFields({})],
    ['a model without a version', encodeFields({ irVersion: undefined, graph: {} })],
    ['a model that ends early', encodeModel(FULL).subarray(0, -5)],
  ])('refuses %s', (_what, bytes) => {
    expect(() => decodeModel(bytes)).toThrow(FileRefused);
  });

  test('refuses what is not a model, and otherwise agrees with the checks before loading', () => {
    const original = encodeModel(FULL);
    const place = fc.nat(original.length - 1);
    const changes = fc.array(fc.tuple(place, fc.nat(255)), { minLength: 1, maxLength: 8 });
    let read = 0;
    fc.assert(
      fc.property(changes, fc.nat(3), (changed, more) => {
        const bytes = Buffer.concat([original, ...Array<Uint8Array>(more).fill(original)]);
        for (const [at, value] of changed) bytes[at] = value;
        const model = decodedOrRefused(bytes);
        if (model === undefined) return;
        read++;
        expect(readOnnx(encodeModel(model))).toEqual(readOnnx(bytes));
      }),
      { numRuns: 2_000 },
    );
    expect(read).toBeGreaterThan(100);
  });
});

function decodedOrRefused(bytes: Uint8Array): ModelMessage | undefined {
  try {
    return decodeModel(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(FileRefused);
    return undefined;
  }
}

describeWithShared('decodeModel on real models', () => {
  test.each([
    'packs/insightface/scrfd_2.5g_bnkps.onnx',
    'packs/insightface/w600k_mbf_int8.onnx',
    'packs/yolov8n/yolov8n_int8.onnx',
    'parts/1k3d68_contract.onnx',
    'parts/face_detection_yunet_2023mar_int8bq.onnx',
  ])('%s survives decoding and encoding', (file) => {
    const bytes = readFileSync(shared(file));
    const again = encodeModel(decodeModel(bytes));
    expect(readOnnx(again)).toEqual(readOnnx(bytes));
    expect(Buffer.compare(encodeModel(decodeModel(again)), again)).toBe(0);
  });
});
