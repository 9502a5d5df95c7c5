import type { Raster } from '../image/raster.ts';
import { warpAffine } from '../kernels/warp-affine.ts';
import type { Affine } from '../math/affine.ts';
import type { Corners } from '../math/corners.ts';
import type { Placement } from './face-candidate.ts';

/** A square in an image, given by its center. */
export interface Square {
  readonly x: number;
  readonly y: number;
  readonly side: number;
  /** The rotation about the center in degrees, clockwise. A face with this roll is upright in the crop. */
  readonly roll: number;
}

/** The side of a crop around a face, relative to the longer side of its box. */
export const CROP_MARGIN = 1.5;

/**
 * Crops an upright square around a box. Its side is 1.5 times the box's longer side, as the
 * attribute and landmark networks of insightface expect. Pixels outside the image are black.
 *
 * @param side side of the result in pixels
 * @returns RGB, interleaved, side x side
 */
export function cropAroundBox(raster: Raster, box: Corners, side: number): Uint8Array {
  return cropSquare(raster, squareAround(box, CROP_MARGIN), side);
}

/** Returns the position in the image of the crop that {@link cropAroundBox} makes. */
export function placeAroundBox(box: Corners, side: number): Placement {
  const square = squareAround(box, CROP_MARGIN);
  const scale = square.side / side;
  return {
    origin: { x: square.x - (side / 2) * scale, y: square.y - (side / 2) * scale },
    scale,
  };
}

/**
 * Returns the upright square that is centered on the box and whose side is `margin` times the box's longer
 * side.
 */
export function squareAround({ x1, y1, x2, y2 }: Corners, margin: number): Square {
  const side = Math.max(x2 - x1, y2 - y1) * margin;
  return { x: (x1 + x2) / 2, y: (y1 + y2) / 2, side, roll: 0 };
}

/**
 * Crops a square. Pixels outside the image are black.
 *
 * @param side side of the result in pixels
 * @returns RGB, interleaved, side x side
 */
export function cropSquare(raster: Raster, square: Square, side: number): Uint8Array {
  return warpAffine(raster, mapToCrop(square, side), { width: side, height: side });
}

/** Returns the map from the image to the crop of a square. */
export function mapToCrop(square: Square, side: number): Affine {
  const scale = side / square.side;
  const angle = (-square.roll * Math.PI) / 180;
  const a = scale * Math.cos(angle);
  const c = scale * Math.sin(angle);
  return {
    a,
    b: -c,
    tx: side / 2 - (a * square.x - c * square.y),
    c,
    d: a,
    ty: side / 2 - (c * square.x + a * square.y),
  };
}
