import type { BoundingBox, Point } from '@sightline/core/analysis/geometry';
import type { Size } from '../math/resize-bilinear.ts';

/** The corners of a box in pixels. The box of a detector may exceed the image. */
export interface Corners {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** A detected face before its box is clamped to the image. */
export interface FaceCandidate {
  readonly box: Corners;
  /** The detector's score, 0..1. */
  readonly score: number;
  /**
   * Left eye, right eye, nose, left and right mouth corner as seen by the viewer; null if the
   * detector finds no landmarks.
   */
  readonly landmarks: readonly Point[] | null;
}

/** The position of a crop in the image from which it was cut. */
export interface Placement {
  /** The upper left corner of the crop, in pixels of the image. */
  readonly origin: Point;
  /** The number of image pixels per pixel of the crop. */
  readonly scale: number;
}

export function toOuterImage(
  { box, score, landmarks }: FaceCandidate,
  { origin, scale }: Placement,
): FaceCandidate {
  return {
    box: {
      x1: origin.x + box.x1 * scale,
      y1: origin.y + box.y1 * scale,
      x2: origin.x + box.x2 * scale,
      y2: origin.y + box.y2 * scale,
    },
    score,
    landmarks:
      landmarks?.map(({ x, y }) => ({ x: origin.x + x * scale, y: origin.y + y * scale })) ?? null,
  };
}

/**
 * Returns whether more than half of a box is inside a face that is more than three times as large.
 */
export function isPartOf(box: Corners, faces: readonly FaceCandidate[]): boolean {
  const area = areaOf(box);
  return faces.some((face) => {
    const width = Math.min(box.x2, face.box.x2) - Math.max(box.x1, face.box.x1);
    const height = Math.min(box.y2, face.box.y2) - Math.max(box.y1, face.box.y1);
    const inside = width > 0 && height > 0 && width * height > area / 2;
    return inside && areaOf(face.box) > 3 * area;
  });
}

export function hasCenterOf({ x1, y1, x2, y2 }: Corners, other: Corners): boolean {
  const x = (other.x1 + other.x2) / 2;
  const y = (other.y1 + other.y2) / 2;
  return x >= x1 && x <= x2 && y >= y1 && y <= y2;
}

export function areaOf({ x1, y1, x2, y2 }: Corners): number {
  return (x2 - x1) * (y2 - y1);
}

export function sidesOf({ x1, y1, x2, y2 }: Corners): BoundingBox {
  return { x: x1, y: y1, w: x2 - x1, h: y2 - y1 };
}

/** Returns the part of a box that is inside an image. Its sides are 0 if there is none. */
export function clampToImage({ x1, y1, x2, y2 }: Corners, { width, height }: Size): BoundingBox {
  const x = Math.min(Math.max(x1, 0), width);
  const y = Math.min(Math.max(y1, 0), height);
  return {
    x,
    y,
    w: Math.max(0, Math.min(x2, width) - x),
    h: Math.max(0, Math.min(y2, height) - y),
  };
}
