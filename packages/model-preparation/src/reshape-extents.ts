import { type Extent, follows, type Shape } from './extents.ts';
import { product } from './tensor-values.ts';

export interface Reshaped {
  readonly shape: Shape;
  /** What Reshape has to be asked for, so that the batch stays free: 0 copies a dimension. */
  readonly wanted: readonly number[];
}

/**
 * What a Reshape does to dimensions. A batch has to stay the first one: then each of its members is
 * laid out by itself.
 *
 * @param wanted as the graph has it: lengths, 0 for "as in the input", at most one -1 for "the rest"
 * @param batch length of the batch that the graph was made for; 0 if it was free already
 * @returns undefined if the lengths hold for one length of a free dimension only
 */
export function reshapeExtents(
  input: Shape,
  wanted: readonly number[],
  batch: number,
): Reshaped | undefined {
  if (!input.includes('batch')) {
    const shape = layOut(input, wanted);
    return shape && { shape, wanted };
  }
  const [first, ...rest] = input;
  if (first !== 'batch' || wanted.length === 0 || !keepsBatch(wanted, rest, batch))
    return undefined;
  const shape = layOut(rest, wanted.slice(1));
  return shape && { shape: ['batch', ...shape], wanted: wanted.with(0, 0) };
}

/** Whether the first of the lengths is that of the batch. */
function keepsBatch([first, ...rest]: readonly number[], members: Shape, batch: number): boolean {
  if (first !== -1) return first === 0 || first === batch;
  const known = members.filter((extent) => typeof extent === 'number');
  return known.length === members.length && product(known) === product(rest);
}

function layOut(input: Shape, wanted: readonly number[]): Shape | undefined {
  // A 0 takes its dimension along as it is; the others are laid out anew.
  const copied = wanted.map((length) => length === 0);
  const [left, lengths] = [input.filter((_, axis) => !copied[axis]), wanted.filter((w) => w !== 0)];
  if (left.some(follows) && !dividesAlways(left, lengths)) return undefined;
  return wanted.map((length, axis): Extent => {
    if (length === 0) return input[axis] ?? 'fixed';
    return length === -1 ? openExtent(left) : length;
  });
}

/** Whether the lengths besides an open one go into the known lengths, so that a rest is always whole. */
function dividesAlways(input: Shape, lengths: readonly number[]): boolean {
  const known = product(input.filter((extent) => typeof extent === 'number'));
  const asked = product(lengths.filter((length) => length !== -1));
  return lengths.includes(-1) && known % asked === 0;
}

function openExtent(input: Shape): Extent {
  return input.some(follows) ? 'free' : 'fixed';
}
