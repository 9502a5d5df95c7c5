import type { NodeMessage } from '../model-proto.ts';
import { intAttribute, intsAttribute, stringAttribute } from '../node-attributes.ts';
import { tensorValues } from '../tensor-values.ts';
import {
  type Extent,
  fixed,
  fixedLength,
  fullLength,
  type FullSize,
  isVariable,
  rescaled,
  sameExtent,
  type Shape,
} from './extents.ts';
import type { Operand, Rule } from './operand.ts';

export const transposed: Rule = ({ node, inputs: [x] }) => {
  if (x === undefined) return undefined;
  const order = intsAttribute(node, 'perm') ?? x.shape.map((_, axis) => x.shape.length - 1 - axis);
  const shape = order.map((axis) => x.shape[axis]);
  return shape.every((extent) => extent !== undefined) ? { shapes: [shape] } : undefined;
};

export const concatenated: Rule = ({ node, inputs }) => {
  const shapes = inputs.flatMap((operand) => (operand ? [operand.shape] : []));
  const [first] = shapes;
  if (first === undefined || shapes.length !== inputs.length) return undefined;
  const axis = axisOf(intAttribute(node, 'axis', 0), first);
  const agree = shapes.every(
    (shape) =>
      shape.length === first.length &&
      shape.every((extent, at) => at === axis || sameExtent(extent, first[at]!)),
  );
  const sum = agree && first[axis] ? sumOf(shapes.map((shape) => shape[axis]!)) : undefined;
  return sum && { shapes: [first.with(axis, sum)] };
};

/** The length of a concatenation. A fixed length beside one that depends on the input is not supported. */
function sumOf(extents: readonly Extent[]): Extent | undefined {
  if (extents.every(isVariable)) return extents.flat();
  const lengths = extents.map(fixedLength);
  const known = lengths.filter((length) => length !== undefined);
  return known.length === lengths.length ? fixed(known.reduce((a, b) => a + b, 0)) : undefined;
}

export const split: Rule = ({ node, inputs: [x, given] }) => {
  if (x === undefined) return undefined;
  const axis = axisOf(intAttribute(node, 'axis', 0), x.shape);
  const whole = x.shape[axis] && fixedLength(x.shape[axis]);
  if (whole === undefined) return undefined;
  const count = node.output.length;
  const equal = Array<number>(count).fill(whole / count);
  const lengths = integers(given) ?? intsAttribute(node, 'split') ?? equal;
  const isExact = lengths.length === count && lengths.reduce((a, b) => a + b, 0) === whole;
  if (!isExact || !lengths.every(Number.isInteger)) return undefined;
  return { shapes: lengths.map((length) => x.shape.with(axis, fixed(length))) };
};

/** The rule for Slice, whose arguments must be constants. */
export const sliced: Rule = ({ inputs: [x, ...bounds], full }) => {
  const ranges = rangesOf(bounds);
  if (x === undefined || ranges === undefined) return undefined;
  let shape: Shape = x.shape;
  for (const range of ranges) {
    const axis = axisOf(range.axis, shape);
    const length = shape[axis] && slicedLength(shape[axis], range, full);
    if (length === undefined) return undefined;
    shape = shape.with(axis, length);
  }
  return { shapes: [shape] };
};

function rangesOf([starts, ends, axes, steps]: readonly (Operand | undefined)[]):
  (Range & { readonly axis: number })[] | undefined {
  const [from = [], to = []] = [integers(starts), integers(ends)];
  const at = integers(axes) ?? from.map((_, axis) => axis);
  const by = integers(steps) ?? from.map(() => 1);
  const isEqual = [to, at, by].every(({ length }) => length === from.length);
  // Bounds that are computed have no values here.
  if (from.length === 0 || !isEqual) return undefined;
  return from.map((start, index) => ({
    start,
    end: to[index]!,
    axis: at[index]!,
    step: by[index]!,
  }));
}

interface Range {
  readonly start: number;
  readonly end: number;
  readonly step: number;
}

function slicedLength(
  extent: Extent,
  { start, end, step }: Range,
  full: FullSize,
): Extent | undefined {
  if (!(step >= 1)) return undefined;
  const length = fixedLength(extent);
  if (length === undefined) {
    // Every n-th row or column down to the end, as in the first layer of YOLOX.
    const isWhole = start >= 0 && start < step && end >= fullLength(extent, full);
    return isWhole ? rescaled(extent, step, full) : undefined;
  }
  const clamp = (index: number) =>
    Math.min(length, Math.max(0, index < 0 ? index + length : index));
  const count = Math.ceil((clamp(end) - clamp(start)) / step);
  return count > 0 ? fixed(count) : undefined;
}

export const multiplied: Rule = ({ inputs: [left, right] }) => {
  const [a, b] = [left?.shape ?? [], right?.shape ?? []];
  const [rows, inner] = a.slice(-2);
  const [height, columns] = b.slice(-2);
  const groups = a.slice(0, -2);
  const isProduct = a.length === b.length && columns !== undefined && sameExtent(inner!, height!);
  if (!isProduct || !groups.every((extent, axis) => sameExtent(extent, b[axis]!))) return undefined;
  return { shapes: [[...groups, rows!, columns]] };
};

const MODES: ReadonlySet<string> = new Set(['asymmetric', 'half_pixel', 'pytorch_half_pixel']);

/**
 * The rule for Resize by constant factors. With the coordinate modes above, a value depends on its position and the
 * factors, but not on the lengths.
 */
export const resized: Rule = ({ node, inputs: [x, , scales, sizes], full }) => {
  const factors = scales?.constant && tensorValues(scales.constant);
  if (x === undefined || factors?.length !== x.shape.length) return undefined;
  if (sizes !== undefined || !isPlainResize(node)) return undefined;
  const shape = x.shape.map((extent, axis) =>
    factors[axis] === 1 ? extent : rescaled(extent, 1 / factors[axis]!, full),
  );
  return shape.every((extent) => extent !== undefined) ? { shapes: [shape] } : undefined;
};

function isPlainResize(node: NodeMessage): boolean {
  const mode = stringAttribute(node, 'coordinate_transformation_mode') ?? 'half_pixel';
  return MODES.has(mode) && intsAttribute(node, 'axes') === undefined;
}

/**
 * The rule for Softmax. Before opset 13, it flattens all dimensions from the axis on, so the axis has to be the last
 * one.
 */
export const softmax: Rule = ({ node, inputs: [x], opset }) => {
  if (x === undefined) return undefined;
  const isModern = opset >= 13;
  const axis = axisOf(intAttribute(node, 'axis', isModern ? -1 : 1), x.shape);
  return isModern || axis === x.shape.length - 1 ? { shapes: [x.shape] } : undefined;
};

function axisOf(axis: number, { length: rank }: Shape): number {
  return axis < 0 ? axis + rank : axis;
}

/** The values of a constant; undefined for an omitted input, and no values for one that is computed. */
function integers(operand: Operand | undefined): number[] | undefined {
  if (operand === undefined) return undefined;
  return [...((operand.constant && tensorValues(operand.constant)) ?? [])];
}
