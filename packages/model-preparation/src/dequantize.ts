import type { TensorMessage } from '@sightline/engine/onnx/model-proto';
import { elementTypes, product, tensorValues } from './tensor-values.ts';

/** The operands of an ONNX DequantizeLinear. */
export interface Quantized {
  /** int8, uint8 or int32. */
  readonly values: TensorMessage;
  /** float32: one for all values, one per index of the axis, or one per block. */
  readonly scale: TensorMessage;
  /** One per scale, of the same type as the values; default 0. */
  readonly zeroPoint?: TensorMessage;
  /** The axis of the scales; a negative one is counted from the end. */
  readonly axis: number;
  /** Values along the axis that share a scale; the last block may be shorter. 0: no blocks. */
  readonly blockSize: number;
}

/**
 * Determines the scale of a value with the index `index` along the axis, `outer` along the axes
 * before it and `inner` along those behind it: `outer * outerStep + floor(index / block) *
 * blockStep + inner * innerStep`.
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
 * `(value - zero point) * scale` in float32, rounded like onnxruntime.
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
    // Storing rounds each step to float32.
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
  // Quantizers write the requested block size even if there is a single scale.
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

/** A scalar has no axis and counts as a single value. */
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
