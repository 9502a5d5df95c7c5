import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { shared } from '@sightline/test/support/fixtures/shared';
import { checkOnnx } from './check-onnx.ts';
import { readOnnx } from './read-onnx.ts';
import { encodeFields } from './testing/hand-made-model.ts';

function check(parts: { graph?: object; functions?: object[]; opsetImport?: object[] }): void {
  checkOnnx(readOnnx(encodeFields({ graph: {}, ...parts })));
}

const external = { name: 'w', dataLocation: 1, externalData: [{ key: 'location', value: '../w' }] };
const custom = { opType: 'Steal', domain: 'com.example' };
const context = { opType: 'EPContext', domain: 'com.microsoft' };

/** All positions in a model where a node can be. */
const nodePlaces: [string, (node: object) => object][] = [
  ['the graph', (node) => ({ graph: { node: [node] } })],
  ['a nested graph', (node) => ({ graph: { node: [nest({ g: { node: [node] } })] } })],
  ['a list of graphs', (node) => ({ graph: { node: [nest({ graphs: [{ node: [node] }] })] } })],
  [
    'a graph in a graph',
    (node) => ({ graph: { node: [nest({ g: { node: [nest({ g: { node: [node] } })] } })] } }),
  ],
  ['a function', (node) => ({ functions: [{ name: 'f', node: [node] }] })],
  [
    'a graph in a function',
    (node) => ({ functions: [{ name: 'f', node: [nest({ g: { node: [node] } })] }] }),
  ],
];

function nest(attribute: object): object {
  return { opType: 'If', attribute: [{ name: 'branch', ...attribute }] };
}

describe('checkOnnx', () => {
  test.each(nodePlaces)('refuses operators of unknown domains in %s', (_place, put) => {
    expect(() => check(put(custom))).toThrow(
      'uses the operator "Steal" of the unknown domain "com.example"',
    );
  });

  test.each(nodePlaces)('refuses native contexts in %s', (_place, put) => {
    expect(() => check(put(context))).toThrow(
      'embeds native code for one execution provider (EPContext)',
    );
    expect(() => check(put({ ...context, domain: '' }))).toThrow(
      'native code for one execution provider',
    );
  });

  const inNode = (attribute: object) => ({ opType: 'Constant', attribute: [attribute] });

  test.each<[string, object]>([
    ['initializers', { graph: { initializer: [external] } }],
    ['sparse initializers', { graph: { sparseInitializer: [{ values: external }] } }],
    ['indices of sparse initializers', { graph: { sparseInitializer: [{ indices: external }] } }],
    ['attributes', { graph: { node: [inNode({ t: external })] } }],
    ['lists in attributes', { graph: { node: [inNode({ tensors: [external] })] } }],
    ['sparse attributes', { graph: { node: [inNode({ sparseTensor: { values: external } })] } }],
    ['sparse lists', { graph: { node: [inNode({ sparseTensors: [{ indices: external }] })] } }],
    ['nested graphs', { graph: { node: [nest({ g: { initializer: [external] } })] } }],
    ['functions', { functions: [{ name: 'f', node: [inNode({ t: external })] }] }],
    ['defaults of functions', { functions: [{ name: 'f', attributeProto: [{ t: external }] }] }],
  ])('refuses external data in %s', (_place, parts) => {
    expect(() => check(parts)).toThrow('stores the values of "w" in another file');
  });

  test('refuses a location even if the tensor claims to be embedded', () => {
    const initializer = [{ ...external, dataLocation: 0 }];
    expect(() => check({ graph: { initializer } })).toThrow('in another file');
  });

  test('accepts the operators that onnxruntime defines, and unused imports', () => {
    const node = ['', 'ai.onnx', 'ai.onnx.ml', 'com.microsoft'].map((domain) => ({
      opType: 'Any',
      domain,
    }));
    const opsetImport = [{ domain: 'com.microsoft.nchwc', version: 1 }];
    expect(() => check({ graph: { node }, opsetImport })).not.toThrow();
  });

  test('shortens hostile names', () => {
    const node = [{ opType: 'x'.repeat(10_000), domain: '\u001b[31m' }];
    expect(() => check({ graph: { node } })).toThrow(
      `uses the operator "${'x'.repeat(60)}…" of the unknown domain "\\u001b[31m"`,
    );
  });
});

describeWithShared('checkOnnx on real models', () => {
  test.each([
    'packs/insightface/scrfd_2.5g_bnkps.onnx',
    'packs/insightface/w600k_mbf_int8.onnx',
    'packs/yolov8n/yolov8n_int8.onnx',
    'parts/1k3d68_contract.onnx',
    'parts/genderage_contract.onnx',
    'parts/face_detection_yunet_2023mar_int8bq.onnx',
    'parts/face_recognition_sface_2021dec_int8bq.onnx',
  ])('takes %s', (file) => {
    expect(() => checkOnnx(readOnnx(readFileSync(shared(file))))).not.toThrow();
  });
});
