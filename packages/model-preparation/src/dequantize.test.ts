import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { openBytes } from '@sightline/engine/onnx/testing/open-bytes';
import { dequantize, type Quantized } from './dequantize.ts';
import { product } from '@sightline/engine/onnx/tensor-values';
import { lengths, modelOf, node, tensor, value } from '@sightline/engine/onnx/testing/small-graph';

const whole = { axis: 1, blockSize: 0 };
const bytes = (...values: number[]) => tensor('q', 'int8', { dims: [values.length], values });
const scales = (dims: number[], ...values: number[]) => tensor('s', 'float32', { dims, values });

/** Dequantizes the operands with onnxruntime. */
async function runtimeResult(quantized: Quantized): Promise<number[]> {
  const { values, scale, zeroPoint, axis, blockSize } = quantized;
  const operands = [values, scale, ...(zeroPoint ? [zeroPoint] : [])];
  const count = product(values.dims);
  await using session = await openBytes(
    modelOf({
      input: [value('x', [count])],
      output: [value('y', [count])],
      initializer: [...operands, lengths('flat', [-1])],
      node: [
        node('DequantizeLinear', ['d', ...operands.map(({ name }) => name!)], {
          axis,
          ...(blockSize > 0 && { block_size: blockSize }),
        }),
        node('Reshape', ['f', 'd', 'flat']),
        node('Add', ['y', 'f', 'x']),
      ],
    }),
  );
  const { y } = await session.run({ x: { data: new Float32Array(count), dims: [count] } });
  return [...y!.data];
}

/** Generates values, scales and zero points with matching types and shapes. */
const quantized: fc.Arbitrary<Quantized> = fc
  .record({
    type: fc.constantFrom('int8' as const, 'uint8' as const, 'int32' as const),
    dims: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 3 }),
    per: fc.constantFrom('tensor', 'axis', 'block'),
    axisSeed: fc.nat(),
    fromEnd: fc.boolean(),
    blockSeed: fc.nat(),
    zeros: fc.boolean(),
    seed: fc.array(fc.integer({ min: -128, max: 127 }), { minLength: 7, maxLength: 40 }),
  })
  .map(({ type, dims, per, axisSeed, fromEnd, blockSeed, zeros, seed }) => {
    const axis = axisSeed % dims.length;
    const blockSize = per === 'block' ? 1 + (blockSeed % dims[axis]!) : 0;
    const shapes: Record<string, number[]> = { tensor: [], axis: [dims[axis]!] };
    const shape = shapes[per] ?? dims.with(axis, Math.ceil(dims[axis]! / blockSize));
    const fill = (count: number, step: number) =>
      Array.from({ length: count }, (_, i) => seed[(i * step) % seed.length]!);
    const integers = (name: string, of: number[], step: number) =>
      tensor(name, type, {
        dims: of,
        values: fill(product(of), step).map((v) => (type === 'uint8' ? v + 128 : v)),
      });
    return {
      values: integers('q', dims, 1),
      scale: tensor('s', 'float32', {
        dims: shape,
        values: fill(product(shape), 3).map((v) => Math.fround((v + 129) * 0.0137)),
      }),
      // onnxruntime accepts int32 zero points only if they are 0.
      ...(zeros && type !== 'int32' && { zeroPoint: integers('z', shape, 5) }),
      axis: fromEnd ? axis - dims.length : axis,
      blockSize,
    };
  })
  // Excludes a block size with a single scale, because onnxruntime rejects it.
  .filter(({ scale, blockSize }) => blockSize === 0 || scale.dims.length > 1 || scale.dims[0]! > 1);

describe('dequantize', () => {
  test('agrees with onnxruntime to the last bit', async () => {
    await fc.assert(
      fc.asyncProperty(quantized, async (operands) => {
        expect([...dequantize(operands)!]).toEqual(await runtimeResult(operands));
      }),
      { numRuns: 150 },
    );
  });

  test('subtracts the zero point and multiplies in float32', () => {
    const zeroPoint = tensor('z', 'int8', { dims: [], values: [-3] });
    const result = dequantize({
      values: bytes(-128, 0, 127),
      scale: scales([], 0.1),
      zeroPoint,
      ...whole,
    });
    expect([...result!]).toEqual([-125, 3, 130].map((v) => Math.fround(v * Math.fround(0.1))));
  });

  test('the last block may be shorter', () => {
    const result = dequantize({
      values: bytes(1, 1, 1, 1, 1),
      scale: scales([3], 1, 2, 4),
      axis: 0,
      blockSize: 2,
    });
    expect([...result!]).toEqual([1, 1, 2, 2, 4]);
  });

  test('ignores a block size if there is a single scale', () => {
    const operands = { values: bytes(1, 2, 3), axis: 0, blockSize: 2 };
    for (const scale of [scales([], 2), scales([1], 2)]) {
      expect([...dequantize({ ...operands, scale })!]).toEqual([2, 4, 6]);
    }
  });

  test('reads raw data at any offset', () => {
    const raw = new Uint8Array([9, 0xff, 0x80, 9]).subarray(1, 3);
    const values = { name: 'q', dims: [2], dataType: 3, rawData: raw };
    expect([...dequantize({ values, scale: scales([], 1), ...whole })!]).toEqual([-1, -128]);
  });

  const three = bytes(1, 2, 3);
  test.each<[string, Partial<Quantized>]>([
    ['as many scales as the axis is long', { scale: scales([2], 1, 2), axis: 0 }],
    ['an axis', { scale: scales([3], 1, 2, 3), axis: 1 }],
    ['blocks that cover the axis', { scale: scales([2], 1, 2), axis: 0, blockSize: 1 }],
    ['no more blocks than needed', { scale: scales([2], 1, 2), axis: 0, blockSize: 3 }],
    ['a positive block size', { scale: scales([2], 1, 2), axis: 0, blockSize: -2 }],
    ['values for its dimensions', { values: { ...three, dims: [4] } }],
    ['integers', { values: scales([1], 1) }],
    ['a scale of float32', { scale: { name: 's', dims: [], dataType: 10, int32Data: [1] } }],
    ['a zero point of its type', { zeroPoint: tensor('z', 'uint8', { dims: [], values: [1] }) }],
    ['a zero point per scale', { zeroPoint: bytes(1, 2) }],
  ])('needs %s', (_what, change) => {
    expect(
      dequantize({ values: three, scale: scales([], 1), ...whole, ...change }),
    ).toBeUndefined();
  });
});
