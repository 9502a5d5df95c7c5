// Math is destructured once because Jest runs tests in a vm context, where every access to a global
// is slow.
const { floor } = Math;

/**
 * Rounds to the nearest integer, and halves to the even integer, like IEEE 754, Python and OpenCV.
 */
export function roundHalfEven(value: number): number {
  const lower = floor(value);
  const fraction = value - lower;
  if (fraction !== 0.5) return fraction < 0.5 ? lower : lower + 1;
  return lower % 2 === 0 ? lower : lower + 1;
}
