import { type Extent, fixed, fixedLength, fullLength, sameExtent, type Shape } from './extents.ts';
import type { Operand, Rule, Step } from './operand.ts';

/**
 * The rule for operators of two operands. A constant that holds a value for each cell of the full grid is cut: the cells
 * of a smaller input are the cells of the full grid's upper left corner, and their values are the same.
 */
export const broadcast: Rule = ({ inputs, full }) => {
  const [left, right] = inputs;
  if (left === undefined || right === undefined) return undefined;
  const rank = Math.max(left.shape.length, right.shape.length);
  const [first, second] = [padded(left.shape, rank), padded(right.shape, rank)];
  const pairs = first.map((extent, axis) => joined([left, extent], [right, second[axis]!], full));
  if (!pairs.every((extent) => extent !== undefined)) return undefined;
  const cuts = new Map<number, Shape>();
  for (const [index, operand] of [left, right].entries()) {
    const shape = cutShape(operand, pairs);
    if (shape !== undefined) cuts.set(index, shape);
  }
  return { shapes: [pairs], cuts };
};

type Side = readonly [operand: Operand, extent: Extent];

function joined(left: Side, right: Side, full: Step['full']): Extent | undefined {
  const [first, second] = [left[1], right[1]];
  if (sameExtent(first, second) || fixedLength(second) === 1) return first;
  if (fixedLength(first) === 1) return second;
  if (isCellwise(right, first, full)) return first;
  return isCellwise(left, second, full) ? second : undefined;
}

/** Whether a constant has as many values along a dimension as the other operand has at the full size. */
function isCellwise([{ constant }, extent]: Side, other: Extent, full: Step['full']): boolean {
  return constant !== undefined && fixedLength(extent) === fullLength(other, full);
}

/** The shape to which a constant has to be cut; undefined if it fits as it is. */
function cutShape({ shape, constant }: Operand, result: Shape): Shape | undefined {
  if (constant === undefined) return undefined;
  const aligned = result.slice(result.length - shape.length);
  const cut = shape.map((extent, axis) => (fixedLength(extent) === 1 ? extent : aligned[axis]!));
  return cut.every((extent, axis) => sameExtent(extent, shape[axis]!)) ? undefined : cut;
}

function padded(shape: Shape, rank: number): Shape {
  return [...Array<Extent>(rank - shape.length).fill(fixed(1)), ...shape];
}
