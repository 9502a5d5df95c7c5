const { sqrt } = Math;

/**
 * Below this length the mean of unit vectors is rounding: they point in opposite directions and have
 * none in common.
 */
const LEAST_LENGTH = 1e-6;

/**
 * Adds a reference to the sum of an identity's references, in place. The sum is kept in float64, so
 * that many additions and removals leave no trace.
 *
 * @param vector L2-normalised, as long as the sum
 * @throws RangeError if the lengths differ
 */
export function addToSum(sum: Float64Array, vector: Float32Array): void {
  requireSameLength(sum, vector);
  for (let i = 0; i < sum.length; i++) sum[i]! += vector[i]!;
}

/**
 * Takes a reference that was added back out of the sum, in place.
 *
 * @throws RangeError if the lengths differ
 */
export function removeFromSum(sum: Float64Array, vector: Float32Array): void {
  requireSameLength(sum, vector);
  for (let i = 0; i < sum.length; i++) sum[i]! -= vector[i]!;
}

/**
 * The L2-normalised mean of `count` references from their sum; null where there is none: without
 * references, or where they cancel each other out.
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
