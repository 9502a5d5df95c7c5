import type { BoundingBox, Point } from './geometry.ts';

/** The ratios of the widths and of the heights of two copies of an image. */
export interface Scale {
  readonly x: number;
  readonly y: number;
}

/** A box, and the landmarks of a face in it, in pixels. */
interface Region {
  readonly bbox: BoundingBox;
  readonly landmarks: readonly Point[] | null;
}

/** The region in a copy of the image that is scaled by these ratios. */
export function scaleRegion({ bbox, landmarks }: Region, scale: Scale): Region {
  return {
    bbox: scaleBox(bbox, scale),
    landmarks: landmarks?.map(({ x, y }) => ({ x: x * scale.x, y: y * scale.y })) ?? null,
  };
}

export function scaleBox({ x, y, w, h }: BoundingBox, scale: Scale): BoundingBox {
  return { x: x * scale.x, y: y * scale.y, w: w * scale.x, h: h * scale.y };
}
