import type { Raster } from '../image/raster.ts';
import { warpAffine } from '../math/warp-affine.ts';
import type { Corners, Placement } from './face-candidate.ts';

/** The longer side of the box is this much shorter than the crop's. */
const MARGIN = 1.5;

/**
 * Cuts out an upright square around a box, half as large again as the box's longer side, as the
 * attribute and landmark nets of insightface want it; what lies outside the picture is black.
 *
 * @param side of the result in pixels
 * @returns RGB, interleaved, side x side
 */
export function cropAroundBox(raster: Raster, box: Corners, side: number): Uint8Array {
  const scale = side / (longerSide(box) * MARGIN);
  const transform = {
    a: scale,
    b: 0,
    tx: side / 2 - ((box.x1 + box.x2) / 2) * scale,
    c: 0,
    d: scale,
    ty: side / 2 - ((box.y1 + box.y2) / 2) * scale,
  };
  return warpAffine(raster, transform, { width: side, height: side });
}

/** Where the crop of {@link cropAroundBox} lies in the picture. */
export function placeAroundBox(box: Corners, side: number): Placement {
  const scale = (longerSide(box) * MARGIN) / side;
  return {
    origin: {
      x: (box.x1 + box.x2) / 2 - (side / 2) * scale,
      y: (box.y1 + box.y2) / 2 - (side / 2) * scale,
    },
    scale,
  };
}

function longerSide({ x1, y1, x2, y2 }: Corners): number {
  return Math.max(x2 - x1, y2 - y1);
}
