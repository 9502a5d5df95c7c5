import type { Point } from '@sightline/core/analysis/geometry';

/** Corners of a box in pixels; a detector's box may reach beyond the image. */
export interface Corners {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

/** What a detector found, before it is clamped to the image. */
export interface FaceCandidate {
  readonly box: Corners;
  /** 0..1 */
  readonly score: number;
  /** Left eye, right eye, nose, left and right corner of the mouth as seen; null without landmarks. */
  readonly landmarks: readonly Point[] | null;
}

/** Where a picture lies in a larger one. */
export interface Placement {
  /** Of the picture's upper left corner, in pixels of the larger one. */
  readonly origin: Point;
  /** Pixels of the larger one per pixel of the picture. */
  readonly scale: number;
}

/** The candidate in the picture that the one it was found in is a part of. */
export function placeCandidate(
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
