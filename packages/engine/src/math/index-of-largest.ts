/** Returns the first index of the largest value. */
export function indexOfLargest(values: Float32Array): number {
  let largest = 0;
  for (let i = 1; i < values.length; i++) if (values[i]! > values[largest]!) largest = i;
  return largest;
}
