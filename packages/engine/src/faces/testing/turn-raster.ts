import type { Point } from '@sightline/core/analysis/geometry';
import type { Raster } from '../../image/raster.ts';
import { applyAffine, invertAffine } from '../../math/affine.ts';

/**
 * Turns an image clockwise about its center. The result is large enough for the whole image, and black beside it.
 *
 * @returns the turned image, and the map from points of the image to points of the turned one
 */
export function turnRaster(
  image: Raster,
  degrees: number,
): { readonly raster: Raster; readonly place: (point: Point) => Point } {
  const angle = (degrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const sideOf = (a: number, b: number) => Math.round(Math.abs(a * cos) + Math.abs(b * sin));
  const size = {
    width: sideOf(image.width, image.height),
    height: sideOf(image.height, image.width),
  };
  const middle = ({ width, height }: Omit<Raster, 'data'>) => [(width - 1) / 2, (height - 1) / 2];
  const [x, y] = middle(image) as [number, number];
  const [u, v] = middle(size) as [number, number];
  const turn = {
    a: cos,
    b: -sin,
    tx: u - (cos * x - sin * y),
    c: sin,
    d: cos,
    ty: v - (sin * x + cos * y),
  };
  const back = invertAffine(turn);
  const data = new Uint8Array(3 * size.width * size.height);
  for (let row = 0; row < size.height; row++) {
    for (let column = 0; column < size.width; column++) {
      const from = applyAffine(back, { x: column, y: row });
      data.set(sample(image, from), 3 * (row * size.width + column));
    }
  }
  return { raster: { data, ...size }, place: (point) => applyAffine(turn, point) };
}

/** Interpolates the color at a point; black outside the image. */
function sample({ data, width, height }: Raster, { x, y }: Point): readonly number[] {
  const [left, top] = [Math.floor(x + 1e-9), Math.floor(y + 1e-9)];
  const [right, below] = [Math.max(0, x - left), Math.max(0, y - top)];
  const at = (column: number, row: number, channel: number) =>
    column < 0 || row < 0 || column >= width || row >= height
      ? 0
      : data[3 * (row * width + column) + channel]!;
  return [0, 1, 2].map((channel) =>
    Math.round(
      (1 - below) * ((1 - right) * at(left, top, channel) + right * at(left + 1, top, channel)) +
        below * ((1 - right) * at(left, top + 1, channel) + right * at(left + 1, top + 1, channel)),
    ),
  );
}
