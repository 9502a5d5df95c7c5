const { sqrt } = Math;

/**
 * The length from which a mean of unit vectors is used. A shorter mean is only a rounding error of vectors that
 * cancel each other out.
 */
const LEAST_LENGTH = 1e-6;

/**
 * Adds a reference to the sum of an identity's references, in place. The sum has float64 values, so that rounding errors
 * stay negligible after many additions and removals.
 *
 * @param vector L2-normalized, with the length of the sum
 * @throws RangeError if the lengths differ
 */
export function addToSum(sum: Float64Array, vector: Float32Array): void {
  requireSameLength(sum, vector);
  for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]!;
}

/**
 * Subtracts a reference from the sum that contains it, in place.
 *
 * @throws RangeError if the lengths differ
 */
export function removeFromSum(sum: Float64Array, vector: Float32Array): void {
  requireSameLength(sum, vector);
  for (let i = 0; i < sum.length; i++) sum[i]! -= vector[i]!;
}

/**
 * Returns the L2-normalized mean of `count` references from their sum; null without references, or if they cancel each
 * other out.
 */
export function meanOf(sum: Float64Array, count: number): Float32Array | null {
  let squares = 0;
  for (const value of sum) squares += value * value;
  const length = sqrt(squares);
  if (count === 0 || length < LEAST_LENGTH * count) return null;
  return Float32Array.from(sum, (value) => value / length);
}

function requireSameLength(sum: Float64Array, vector: Float32Array): void {
  if (sum.length !== vector.length) {
    throw new RangeError(`A sum of ${sum.length} values cannot take ${vector.length}.`);
  }
}
