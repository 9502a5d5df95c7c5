/**
 * Whether a vector can be compared: it has the length of its space, and a direction. Only a damaged row has another one;
 * it must not stop what is computed from the other rows.
 */
export function isComparable(
  { vector }: { readonly vector: Float32Array },
  dimension: number,
): boolean {
  if (vector.length !== dimension) return false;
  let squares = 0;
  for (const value of vector) squares += value * value;
  return Number.isFinite(squares) && squares > 0;
}
