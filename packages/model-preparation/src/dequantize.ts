import type { TensorMessage } from '@sightline/engine/onnx/model-proto';
import { elementTypes, product, tensorValues } from '@sightline/engine/onnx/tensor-values';

/** The operands of an ONNX DequantizeLinear. */
export interface Quantized {
  /** The values, of type int8, uint8 or int32. */
  readonly values: TensorMessage;
  /** The scales, of type float32: one for all values, one per index of the axis, or one per block. */
  readonly scale: TensorMessage;
  /** The zero points, one per scale, of the type of the values; by default 0. */
  readonly zeroPoint?: TensorMessage;
  /** The axis of the scales; a negative axis counts from the end. */
  readonly axis: number;
  /** The number of values along the axis that share a scale; 0 without blocks. The last block may be shorter. */
  readonly blockSize: number;
}

/**
 * The strides of the scales. A value has the position `index` along the axis, `outer` along the axes before that axis, and
 * `inner` along the axes after it. Its scale is at `outer * outerStep + floor(index / block) * blockStep + inner *
 * innerStep`.
 */
interface ScaleSteps {
  readonly block: number;
  readonly outerStep: number;
  readonly blockStep: number;
  readonly innerStep: number;
}

const INTEGERS: ReadonlySet<number> = new Set([
  elementTypes.int8,
  elementTypes.uint8,
  elementTypes.int32,
]);

/**
 * Computes `(value - zero point) * scale` in float32, rounded like onnxruntime.
 *
 * @returns undefined if the operands have other types, or incompatible shapes
 */
export function dequantize(quantized: Quantized): Float32Array | undefined {
  const steps = hasTypes(quantized) ? scaleSteps(quantized) : undefined;
  const values = tensorValues(quantized.values);
  const scales = tensorValues(quantized.scale);
  const zeros = quantized.zeroPoint ? tensorValues(quantized.zeroPoint) : scales?.map(() => 0);
  if (!steps || !values || !scales || !zeros) return undefined;
  const result = new Float32Array(values.length);
  forEachScale(quantized, steps, (at, from) => {
    // Each step is stored in the Float32Array, which rounds it to float32, as ONNX defines it.
    result[at] = values[at]! - zeros[from]!;
    result[at] *= scales[from]!;
  });
  return result;
}

function hasTypes({ values, scale, zeroPoint }: Quantized): boolean {
  if (!INTEGERS.has(values.dataType) || scale.dataType !== elementTypes.float32) return false;
  if (zeroPoint === undefined) return true;
  return zeroPoint.dataType === values.dataType && isSame(zeroPoint.dims, scale.dims);
}

function forEachScale(
  quantized: Quantized,
  { block, outerStep, blockStep, innerStep }: ScaleSteps,
  visit: (at: number, scale: number) => void,
): void {
  const { outer, length, inner } = aroundAxis(quantized);
  let at = 0;
  for (let before = 0; before < outer; before++) {
    for (let index = 0; index < length; index++) {
      const scale = before * outerStep + ((index - (index % block)) / block) * blockStep;
      for (let behind = 0; behind < inner; behind++) visit(at++, scale + behind * innerStep);
    }
  }
}

function scaleSteps(quantized: Quantized): ScaleSteps | undefined {
  const { values, scale, blockSize } = quantized;
  // With a single scale, the block size has no meaning and is ignored. Some quantizers write one nevertheless.
  if (scale.dims.length <= 1 && product(scale.dims) === 1) {
    return { block: 1, outerStep: 0, blockStep: 0, innerStep: 0 };
  }
  const axis = axisOf(quantized);
  const length = values.dims[axis];
  if (length === undefined) return undefined;
  if (blockSize === 0) {
    const fits = scale.dims.length === 1 && scale.dims[0] === length;
    return fits ? { block: 1, outerStep: 0, blockStep: 1, innerStep: 0 } : undefined;
  }
  const blocks = Math.ceil(length / blockSize);
  const { inner } = aroundAxis(quantized);
  return blockSize > 0 && isSame(scale.dims, values.dims.with(axis, blocks))
    ? { block: blockSize, outerStep: blocks * inner, blockStep: inner, innerStep: 1 }
    : undefined;
}

/** The lengths before, along and after the axis. A scalar counts as a single value. */
function aroundAxis(quantized: Quantized): { outer: number; length: number; inner: number } {
  const { dims } = quantized.values;
  const axis = axisOf(quantized);
  if (dims[axis] === undefined) return { outer: 1, length: product(dims), inner: 1 };
  return {
    outer: product(dims.slice(0, axis)),
    length: dims[axis],
    inner: product(dims.slice(axis + 1)),
  };
}

function axisOf({ axis, values }: Quantized): number {
  return axis < 0 ? axis + values.dims.length : axis;
}

function isSame(first: readonly number[], second: readonly number[]): boolean {
  return first.length === second.length && first.every((value, index) => value === second[index]);
}
