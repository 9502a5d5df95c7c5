import type { Point } from '@sightline/core/analysis/geometry';
import { areaOf, type Corners } from '../math/corners.ts';

/** A detected face before its box is clamped to the image. */
export interface FaceCandidate {
  readonly box: Corners;
  /** The detector's score, 0..1. */
  readonly score: number;
  /**
   * Left eye, right eye, nose, left and right mouth corner, as seen with the face upright; null if the
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
