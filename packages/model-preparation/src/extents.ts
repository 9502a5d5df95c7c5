/**
 * The facts known about a dimension while some dimensions of the graph's input are free. A number is the length, `batch`
 * is the batch, `free` depends on a free dimension, and `fixed` has an unknown length that depends on no free dimension.
 */
export type Extent = number | 'batch' | 'free' | 'fixed';
export type Shape = readonly Extent[];

/**
 * The shape to which two operands broadcast. Two free dimensions count as equal, because they are equal at the declared
 * size. If they differ at another size, onnxruntime rejects the run, unless one of them is 1.
 *
 * @returns undefined if a free dimension would have to equal a fixed dimension
 */
export function broadcast(first: Shape, second: Shape): Shape | undefined {
  const rank = Math.max(first.length, second.length);
  const [left, right] = [padded(first, rank), padded(second, rank)];
  const result = left.map((extent, axis) => broadcastExtent(extent, right[axis]!));
  return result.every((extent) => extent !== undefined) ? result : undefined;
}

function broadcastExtent(left: Extent, right: Extent): Extent | undefined {
  if (left === right || right === 1) return left;
  if (left === 1) return right;
  if (isVariable(left) || isVariable(right)) return undefined;
  return typeof left === 'number' ? left : right;
}

function padded(shape: Shape, rank: number): Shape {
  return [...Array<Extent>(rank - shape.length).fill(1), ...shape];
}

/** The extent of a dimension that several dimensions are merged into. */
export function merged(extents: Shape): Extent | undefined {
  if (extents.includes('batch')) return extents.length === 1 ? 'batch' : undefined;
  if (extents.includes('free')) return 'free';
  const known = extents.filter((extent) => typeof extent === 'number');
  return known.length === extents.length ? known.reduce((a, b) => a * b, 1) : 'fixed';
}

/** Whether the length may differ between runs. */
export function isVariable(extent: Extent | undefined): boolean {
  return extent === 'batch' || extent === 'free';
}

/** The extent after a sliding window (convolution or pooling). */
export function resampled(extent: Extent): Extent {
  return extent === 'free' ? 'free' : 'fixed';
}
