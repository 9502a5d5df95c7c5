import { type Extent, isVariable, type Shape } from './extents.ts';
import { product } from './tensor-values.ts';

export interface Reshaped {
  readonly shape: Shape;
  /** The target shape that keeps the batch free: 0 copies a dimension. */
  readonly target: readonly number[];
}

/**
 * The effect of a Reshape on extents. The batch has to stay the first dimension, so that each of
 * its members is reshaped separately.
 *
 * @param target in the graph: lengths, 0 for "as in the input", at most one -1 for "the rest"
 * @param batch length of the batch that the graph was made for; 0 if it was free already
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

/** Whether the first length is that of the batch. */
function keepsBatch([first, ...rest]: readonly number[], members: Shape, batch: number): boolean {
  if (first !== -1) return first === 0 || first === batch;
  const known = members.filter((extent) => typeof extent === 'number');
  return known.length === members.length && product(known) === product(rest);
}

function layOut(input: Shape, target: readonly number[]): Shape | undefined {
  // A 0 copies its dimension; the others are reshaped together.
  const copied = target.map((length) => length === 0);
  const [left, lengths] = [input.filter((_, axis) => !copied[axis]), target.filter((w) => w !== 0)];
  if (left.some(isVariable) && !dividesAlways(left, lengths)) return undefined;
  return target.map((length, axis): Extent => {
    if (length === 0) return input[axis] ?? 'fixed';
    return length === -1 ? inferredExtent(left) : length;
  });
}

/**
 * Whether the given lengths divide the known ones, so that the inferred length is always an
 * integer.
 */
function dividesAlways(input: Shape, lengths: readonly number[]): boolean {
  const known = product(input.filter((extent) => typeof extent === 'number'));
  const given = product(lengths.filter((length) => length !== -1));
  return lengths.includes(-1) && known % given === 0;
}

function inferredExtent(input: Shape): Extent {
  return input.some(isVariable) ? 'free' : 'fixed';
}
