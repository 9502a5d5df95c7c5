import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { describeWithShared } from '@sightline/test/support/gates/describe-with-shared';
import { shared } from '@sightline/test/support/fixtures/shared';
import { alignFace } from '@sightline/engine/faces/align-face';
import { decodePhoto } from '@sightline/engine/faces/testing/decode-photo';
import { packTensor } from '@sightline/engine/math/pack-tensor';
import { FileRefused } from '@sightline/engine/onnx/file-refused';
import { decodeModel, encodeModel, type NodeMessage } from '@sightline/engine/onnx/model-proto';
import type { FloatTensor, ModelSession } from '@sightline/engine/onnx/session';
import { openBytes } from '@sightline/engine/onnx/testing/open-bytes';
import { FREE_BATCH, FREE_BATCH_AND_SIZE, type FreeAxes } from './free-dimensions.ts';
import { prepareOnnx } from './prepare-onnx.ts';
import { product } from '@sightline/engine/onnx/tensor-values';
import {
  graph,
  lengths,
  modelOf,
  node,
  tensor,
  value,
  weights,
} from '@sightline/engine/onnx/testing/small-graph';

describe('prepareOnnx', () => {
  const x = value('x', [1, 3, 4, 4]);
  const y = value('y', [1, 2, 4, 4]);
  const kernel = weights('kernel', [2, 3, 1, 1]);
  const conv = node('Conv', ['y', 'x', 'kernel']);

  test('only drops intermediate shapes of a model that needs no change', () => {
    const free = [
      value('x', ['batch', 3, 'height', 'width']),
      value('y', ['batch', 2, 'height', 'width']),
    ] as const;
    const parts = { input: [free[0]], output: [free[1]], initializer: [kernel], node: [conv] };
    const bytes = modelOf({ ...parts, valueInfo: [value('between', [1])] });
    const prepared = prepareOnnx(bytes, { input: [0, 2, 3], outputs: [0] });
    expect(decodeModel(prepared)).toEqual(decodeModel(modelOf(parts)));
  });

  test('raises the IR version to one in which weights need not be inputs', () => {
    const parts = graph({ input: [x, kernel].map(({ name }) => value(name!, [1])), output: [y] });
    const old = { irVersion: 3, opsetImport: [{ version: 9 }] };
    const bytes = encodeModel({
      ...old,
      graph: { ...parts, initializer: [kernel], node: [conv] },
    });
    const result = decodeModel(prepareOnnx(bytes, FREE_BATCH));
    expect(result.irVersion).toBe(4);
    expect(result.graph.input.map(({ name }) => name)).toEqual(['x']);
  });

  test('a small quantized detector computes the same results, even for batches and other sizes', async () => {
    const taps = Array.from({ length: 4 * 27 }, (_, index) => ((index * 37) % 256) - 128);
    const bytes = modelOf({
      input: [x],
      output: [value('cells', [1, 16, 4])],
      initializer: [
        tensor('q', 'int8', { dims: [4, 27], values: taps }),
        tensor('s', 'float32', { dims: [4, 3], values: taps.slice(0, 12).map((v) => v / 1000) }),
        lengths('kernel', [4, 3, 3, 3]),
        lengths('rows', [1, -1, 4]),
      ],
      node: [
        node('DequantizeLinear', ['flat', 'q', 's'], { axis: 1, block_size: 10 }),
        node('Reshape', ['w', 'flat', 'kernel']),
        node('Conv', ['a', 'x', 'w'], { pads: [1, 1, 1, 1] }),
        node('Transpose', ['b', 'a'], { perm: [0, 2, 3, 1] }),
        node('Reshape', ['cells', 'b', 'rows']),
      ],
    });
    await using published = await openBytes(bytes);
    await using prepared = await openBytes(prepareOnnx(bytes, FREE_BATCH_AND_SIZE));
    const small = ramp([1, 3, 4, 4]);
    const reference = (await published.run({ x: small })).cells!;
    expect(largestDifference((await prepared.run({ x: small })).cells!, reference)).toBeLessThan(
      1e-6,
    );

    const { cells } = await prepared.run({ x: ramp([2, 3, 6, 5]) });
    expect(cells!.dims).toEqual([2, 30, 4]);
    for (const index of [0, 1]) {
      const alone = (await prepared.run({ x: member(ramp([2, 3, 6, 5]), index) })).cells!;
      expect(largestDifference(member(cells!, index), alone)).toBeLessThan(1e-6);
    }
  });

  test('refuses bytes that are not a model', () => {
    expect(() => prepareOnnx(Buffer.from('<!doctype html>'), FREE_BATCH)).toThrow(FileRefused);
  });
});

const YUNET = 'parts/face_detection_yunet_2023mar_int8bq.onnx';
const SFACE = 'parts/face_recognition_sface_2021dec_int8bq.onnx';

const UNCHANGED = { mean: [0, 0, 0], std: [1, 1, 1] } as const;

/** The tolerated difference, relative to the range of the reference values. */
const TOLERANCE = 1e-3;

function largestDifference(actual: FloatTensor, reference: FloatTensor): number {
  expect(actual.dims).toEqual(reference.dims);
  const [min, max] = [Math.min(...reference.data), Math.max(...reference.data)];
  const differences = reference.data.map((expected, index) =>
    Math.abs(expected - actual.data[index]!),
  );
  return Math.max(...differences) / (max - min);
}

/** Pseudo-random values between -1 and 1. */
function ramp(dims: readonly number[]): FloatTensor {
  const data = Float32Array.from(
    { length: product(dims) },
    (_, index) => ((index * 29) % 101) / 50 - 1,
  );
  return { data, dims };
}

/** Runs a model. Also feeds the unused inputs that a published graph declares. */
function run(session: ModelSession, image: FloatTensor): Promise<Record<string, FloatTensor>> {
  const [first, ...others] = session.inputs;
  const unread = others.map(({ name, dims }) => {
    const known = dims.map((length) => length ?? 1);
    return [name, { data: new Float32Array(product(known)), dims: known }] as const;
  });
  return session.run({ ...Object.fromEntries(unread), [first!.name]: image });
}

function batchOf(images: readonly Float32Array[], [height, width]: [number, number]): FloatTensor {
  const data = new Float32Array(images.length * 3 * height * width);
  for (const [index, image] of images.entries()) data.set(image, index * image.length);
  return { data, dims: [images.length, 3, height, width] };
}

/** A member of a batch as a batch of one. */
function member({ data, dims }: FloatTensor, index: number): FloatTensor {
  const length = data.length / dims[0]!;
  return { data: data.slice(index * length, (index + 1) * length), dims: [1, ...dims.slice(1)] };
}

describeWithShared('prepareOnnx on published models', () => {
  test.each<[string, FreeAxes, string]>([
    [
      YUNET,
      FREE_BATCH_AND_SIZE,
      '60d9df411359bc6d89e3edce2ed88a140bca698dfd96ffb2eb4f0fede3f7b9a9',
    ],
    [SFACE, FREE_BATCH, '9eb7f04c426b47a4edf99422863247b55f8ad4a7d34b3704d238b29f44858c3b'],
  ])('converts %s to the same bytes everywhere, and is idempotent', (file, axes, digest) => {
    const prepared = prepareOnnx(readFileSync(shared(file)), axes);
    expect(createHash('sha256').update(prepared).digest('hex')).toBe(digest);
    expect(Buffer.compare(prepareOnnx(prepared, axes), prepared)).toBe(0);
  });

  test('SFace computes the published embeddings, alone and in a batch', async () => {
    const bytes = readFileSync(shared(SFACE));
    await using published = await openBytes(bytes);
    await using prepared = await openBytes(prepareOnnx(bytes, FREE_BATCH));
    expect(prepared.inputs).toEqual([{ name: 'data', dims: [null, 3, 112, 112] }]);
    expect(prepared.outputs).toEqual([{ name: 'fc1', dims: [null, 128] }]);
    const faces = await alignedFaces('people/000_5.jpg');
    const together = await prepared.run({ data: batchOf(faces, [112, 112]) });
    expect(together.fc1!.dims).toEqual([5, 128]);
    for (const [index, face] of faces.entries()) {
      const alone = batchOf([face], [112, 112]);
      const { fc1: reference } = await run(published, alone);
      const { fc1 } = await prepared.run({ data: alone });
      expect(largestDifference(fc1!, reference!)).toBeLessThan(TOLERANCE);
      const fromBatch = member(together.fc1!, index);
      expect(largestDifference(fromBatch, reference!)).toBeLessThan(TOLERANCE);
    }
  });

  test('YuNet computes the published outputs', async () => {
    const bytes = readFileSync(shared(YUNET));
    await using published = await openBytes(withoutUselessBlocks(bytes));
    await using prepared = await openBytes(prepareOnnx(bytes, FREE_BATCH_AND_SIZE));
    const input = await corner('people/000_5.jpg', [640, 640]);
    const reference = await published.run({ input });
    const results = await prepared.run({ input });
    expect(Object.keys(results)).toEqual(published.outputs.map(({ name }) => name));
    for (const [name, result] of Object.entries(results)) {
      expect(largestDifference(result, reference[name]!)).toBeLessThan(TOLERANCE);
    }
  });

  test('YuNet accepts images of another size, and batches', async () => {
    await using prepared = await openBytes(
      prepareOnnx(readFileSync(shared(YUNET)), FREE_BATCH_AND_SIZE),
    );
    expect(prepared.inputs).toEqual([{ name: 'input', dims: [null, 3, null, null] }]);
    expect(prepared.outputs.map(({ dims }) => dims)).toEqual(
      [1, 1, 1, 1, 1, 1, 4, 4, 4, 10, 10, 10].map((width) => [null, null, width]),
    );
    const size: [number, number] = [320, 416];
    const pictures = await Promise.all(
      ['people/000_5.jpg', 'people/001_A.jpg'].map((photo) => corner(photo, size)),
    );
    const together = await prepared.run({
      input: batchOf(
        pictures.map(({ data }) => data),
        size,
      ),
    });
    for (const stride of [8, 16, 32]) {
      const cells = (size[0] / stride) * (size[1] / stride);
      expect(together[`kps_${stride}`]!.dims).toEqual([2, cells, 10]);
    }
    for (const [index, input] of pictures.entries()) {
      for (const [name, alone] of Object.entries(await prepared.run({ input }))) {
        expect(largestDifference(member(together[name]!, index), alone)).toBeLessThan(TOLERANCE);
      }
    }
  });
});

/**
 * The published YuNet, in which only the block sizes of single scales are removed, because onnxruntime rejects them.
 */
function withoutUselessBlocks(bytes: Uint8Array): Uint8Array {
  const model = decodeModel(bytes);
  const single = new Set(
    model.graph.initializer.filter(({ dims }) => dims.join() === '1').map(({ name }) => name),
  );
  const nodes = model.graph.node.map((candidate): NodeMessage => {
    if (candidate.opType !== 'DequantizeLinear' || !single.has(candidate.input[1]))
      return candidate;
    const attribute = candidate.attribute!.filter(({ name }) => name !== 'block_size');
    return { ...candidate, attribute };
  });
  return encodeModel({ ...model, graph: { ...model.graph, node: nodes } });
}

interface GoldenFaces {
  readonly faces: Readonly<
    Record<string, { readonly faces: readonly { readonly kps: readonly [number, number][] }[] }>
  >;
}

/** The input of SFace: RGB, 0..255. */
async function alignedFaces(photo: string): Promise<Float32Array[]> {
  const raster = await decodePhoto(shared('photos', photo));
  const golden = JSON.parse(readFileSync(shared('golden/starter.json'), 'utf8')) as GoldenFaces;
  const size = { width: 112, height: 112 };
  return golden.faces[photo]!.faces.map(({ kps }) => {
    const face = {
      box: { x1: 0, y1: 0, x2: 1, y2: 1 },
      landmarks: kps.map(([x, y]) => ({ x, y })),
    };
    return packTensor(alignFace(raster, face, 112), size, { ...UNCHANGED, colorOrder: 'rgb' });
  });
}

/** The input of YuNet: the upper left corner of a photo, padded with black; BGR, 0..255. */
async function corner(photo: string, [height, width]: [number, number]): Promise<FloatTensor> {
  const raster = await decodePhoto(shared('photos', photo));
  const pixels = new Uint8Array(3 * width * height);
  for (let row = 0; row < Math.min(height, raster.height); row++) {
    const from = 3 * row * raster.width;
    const length = 3 * Math.min(width, raster.width);
    pixels.set(raster.data.subarray(from, from + length), 3 * row * width);
  }
  const data = packTensor(pixels, { width, height }, { ...UNCHANGED, colorOrder: 'bgr' });
  return { data, dims: [1, 3, height, width] };
}
