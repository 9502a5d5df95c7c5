import { type Extent, isVariable, type Shape } from './extents.ts';
import { product } from './tensor-values.ts';

export interface Reshaped {
  readonly shape: Shape;
  /** The target shape that keeps the batch free; 0 copies a dimension from the input. */
  readonly target: readonly number[];
}

/**
 * The effect of a Reshape on extents. The batch must remain the first dimension, so that each member is reshaped
 * separately.
 *
 * @param target the target shape in the graph: 0 copies a length from the input, and at most one -1 stands for the
 *   remaining length
 * @param batch the length of the batch for which the graph was exported; 0 if the batch was free already
 * @returns undefined if the target works for only one length of a free dimension
 */
export function reshapeExtents(
  input: Shape,
  target: readonly number[],
  batch: number,
): Reshaped | undefined {
  if (!input.includes('batch')) {
    const shape = layOut(input, target);
    return shape && { shape, target };
  }
  const [first, ...rest] = input;
  if (first !== 'batch' || target.length === 0 || !keepsBatch(target, rest, batch))
    return undefined;
  const shape = layOut(rest, target.slice(1));
  return shape && { shape: ['batch', ...shape], target: target.with(0, 0) };
}

/** Whether the first dimension of the target is the batch. */
function keepsBatch([first, ...rest]: readonly number[], members: Shape, batch: number): boolean {
  if (first !== -1) return first === 0 || first === batch;
  const known = members.filter((extent) => typeof extent === 'number');
  return known.length === members.length && product(known) === product(rest);
}

function layOut(input: Shape, target: readonly number[]): Shape | undefined {
  // A length of 0 copies a dimension of the input. All other dimensions are reshaped together.
  const copied = target.map((length) => length === 0);
  const [left, lengths] = [input.filter((_, axis) => !copied[axis]), target.filter((w) => w !== 0)];
  if (left.some(isVariable) && !dividesAlways(left, lengths)) return undefined;
  return target.map((length, axis): Extent => {
    if (length === 0) return input[axis] ?? 'fixed';
    return length === -1 ? inferredExtent(left) : length;
  });
}

/**
 * Whether the length that -1 stands for is an integer, however long the free dimensions are. It is if the product of
 * the target's other lengths divides the product of the input's known lengths.
 */
function dividesAlways(input: Shape, lengths: readonly number[]): boolean {
  const known = product(input.filter((extent) => typeof extent === 'number'));
  const given = product(lengths.filter((length) => length !== -1));
  return lengths.includes(-1) && known % given === 0;
}

function inferredExtent(input: Shape): Extent {
  return input.some(isVariable) ? 'free' : 'fixed';
}
