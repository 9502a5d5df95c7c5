// Taken out once: in a vm context, as of the tests, each access to a global is slow.
const { floor } = Math;

/** Rounds to the nearest integer, halves to the even one, as IEEE 754, Python and OpenCV do. */
export function roundHalfEven(value: number): number {
  const below = floor(value);
  const rest = value - below;
  if (rest !== 0.5) return rest < 0.5 ? below : below + 1;
  return below % 2 === 0 ? below : below + 1;
}
