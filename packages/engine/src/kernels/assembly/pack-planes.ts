/**
 * Spreads RGB pixels over three planes of floats, by a table of 256 floats per channel. A table is
 * exact for every mean and deviation, and faster than arithmetic in double precision.
 *
 * @param pixels RGB bytes
 * @param table 256 floats each for red, green and blue
 */
export function packPlanes(
  pixels: usize,
  count: i32,
  table: usize,
  red: usize,
  green: usize,
  blue: usize,
): void {
  const end = pixels + <usize>count * 3;
  while (pixels < end) {
    store<f32>(red, load<f32>(table + ((<usize>load<u8>(pixels)) << 2)));
    store<f32>(green, load<f32>(table + ((<usize>load<u8>(pixels, 1)) << 2), 1024));
    store<f32>(blue, load<f32>(table + ((<usize>load<u8>(pixels, 2)) << 2), 2048));
    pixels += 3;
    red += 4;
    green += 4;
    blue += 4;
  }
}
