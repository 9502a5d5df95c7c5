import type { BoundingBox, Point } from './geometry.ts';
import type { FaceRegion, QuarterTurn } from './image-analyzer.ts';

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

/** The region of a detected face in such a copy, for an analyzer. */
export function faceRegion(
  { turned, ...region }: Region & { readonly turned: QuarterTurn },
  scale: Scale,
): FaceRegion {
  return { ...scaleRegion(region, scale), turned };
}

export function scaleBox({ x, y, w, h }: BoundingBox, scale: Scale): BoundingBox {
  return { x: x * scale.x, y: y * scale.y, w: w * scale.x, h: h * scale.y };
}
