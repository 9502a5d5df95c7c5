import { intAttribute, intsAttribute, stringAttribute } from '../node-attributes.ts';
import type { NodeMessage } from '../model-proto.ts';
import { type Extent, fixed, fixedLength, type FullSize, rescaled, type Shape } from './extents.ts';
import type { Rule } from './operand.ts';

/** The rule for convolutions. */
export const convolved: Rule = ({ node, inputs: [x, weights], full }) => {
  const kernel = weights?.shape.slice(2).map(fixedLength);
  if (x === undefined || !kernel?.every((side) => side !== undefined)) return undefined;
  const space = slid(node, { space: x.shape.slice(2), kernel }, full);
  return space && { shapes: [[x.shape[0]!, weights!.shape[0]!, ...space]] };
};

/** The rule for pooling. Only the first output, without the indices of the largest values, is supported. */
export const pooled: Rule = ({ node, inputs: [x], full }) => {
  const kernel = intsAttribute(node, 'kernel_shape');
  const isPlain = intAttribute(node, 'ceil_mode', 0) === 0 && node.output.length === 1;
  if (x === undefined || kernel === undefined || !isPlain) return undefined;
  const space = slid(node, { space: x.shape.slice(2), kernel }, full);
  return space && { shapes: [[x.shape[0]!, x.shape[1]!, ...space]] };
};

interface Sliding {
  readonly space: Shape;
  readonly kernel: readonly number[];
}

function slid(node: NodeMessage, { space, kernel }: Sliding, full: FullSize): Extent[] | undefined {
  const rank = space.length;
  const listOf = (name: string, count: number, value: number) =>
    intsAttribute(node, name) ?? Array<number>(count).fill(value);
  const pads = listOf('pads', 2 * rank, 0);
  const strides = listOf('strides', rank, 1);
  const dilations = listOf('dilations', rank, 1);
  const isComplete = [kernel, strides, dilations].every(({ length }) => length === rank);
  if (!isComplete || pads.length !== 2 * rank || hasAutoPad(node)) return undefined;
  const result = space.map((extent, axis) => {
    const reach = pads[axis]! + pads[axis + rank]! - dilations[axis]! * (kernel[axis]! - 1);
    return windows(extent, { reach, stride: strides[axis]! }, full);
  });
  return result.every((extent) => extent !== undefined) ? result : undefined;
}

/**
 * The number of positions of a window.
 *
 * @param reach the padding minus the distance from a window's first to its last value
 */
function windows(
  extent: Extent,
  { reach, stride }: { readonly reach: number; readonly stride: number },
  full: FullSize,
): Extent | undefined {
  if (reach === 0 && stride === 1) return extent;
  const length = fixedLength(extent);
  if (length !== undefined) return fixed(Math.floor((length + reach - 1) / stride) + 1);
  // The number is floor((n + reach - 1) / stride) + 1. For every multiple n of the stride, this is n / stride if:
  return reach <= 0 && reach > -stride ? rescaled(extent, stride, full) : undefined;
}

function hasAutoPad(node: NodeMessage): boolean {
  return (stringAttribute(node, 'auto_pad') ?? 'NOTSET') !== 'NOTSET';
}
