import { intAttribute } from '../node-attributes.ts';
import { tensorValues } from '../tensor-values.ts';
import {
  type Atom,
  type Extent,
  fixed,
  fixedLength,
  fullLength,
  type FullSize,
  productOf,
  type Shape,
} from './extents.ts';
import type { Rule } from './operand.ts';

/**
 * The rule for Reshape. At the full size, each dimension of the result covers some consecutive dimensions of the input,
 * or a factor of a fixed one. The same dimensions are covered at other sizes, so the order of the values stays right.
 */
export const reshaped: Rule = ({ node, inputs: [x, lengths], full }) => {
  const target = lengths?.constant && tensorValues(lengths.constant);
  if (x === undefined || target === undefined || intAttribute(node, 'allowzero', 0) !== 0) {
    return undefined;
  }
  const resolved = resolve([...target], x.shape, full);
  const shape = resolved && regrouped(x.shape, resolved, full);
  return shape && { shapes: [shape] };
};

/** Replaces 0, which copies a length of the input, and -1, which stands for the remaining length. */
function resolve(target: readonly number[], input: Shape, full: FullSize): number[] | undefined {
  const whole = input.map((extent) => fullLength(extent, full));
  const known = target.map((length, axis) => (length === 0 ? (whole[axis] ?? 0) : length));
  const product = (lengths: readonly number[]) => lengths.reduce((a, b) => a * b, 1);
  const rest = product(whole) / product(known.filter((length) => length !== -1));
  const resolved = known.map((length) => (length === -1 ? rest : length));
  const isExact = resolved.every((length) => Number.isInteger(length) && length > 0);
  return isExact && product(resolved) === product(whole) ? resolved : undefined;
}

function regrouped(input: Shape, target: readonly number[], full: FullSize): Extent[] | undefined {
  // A concatenation cannot be divided; other dimensions consist of their factors.
  const queue = input.flatMap((extent): Extent[] =>
    extent.length > 1 ? [extent] : extent[0]!.map((atom) => [[atom]]),
  );
  const shape = target.map((length) => take(queue, length, full));
  return shape.every((extent) => extent !== undefined) ? shape : undefined;
}

/** Takes factors from the head of the queue whose product is `length`. */
function take(queue: Extent[], length: number, full: FullSize): Extent | undefined {
  const taken: Extent[] = [];
  for (let needed = length; needed > 1;) {
    const head = queue.shift();
    if (head === undefined) return undefined;
    const factor = fullLength(head, full);
    if (needed % factor === 0) {
      if (factor > 1) taken.push(head);
      needed /= factor;
    } else {
      if (fixedLength(head) === undefined || factor % needed !== 0) return undefined;
      queue.unshift(fixed(factor / needed));
      taken.push(fixed(needed));
      needed = 1;
    }
  }
  if (taken.length === 1) return taken[0];
  if (taken.some(({ length: parts }) => parts > 1)) return undefined;
  return productOf(taken.map(([part]): Atom => part![0]!));
}
