import type { Point } from '@sightline/core/detections/geometry';

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

/** The candidate in a picture whose sides are `factor` times as long. */
export function scaleCandidate(candidate: FaceCandidate, factor: number): FaceCandidate {
  const { box, score, landmarks } = candidate;
  return {
    box: {
      x1: box.x1 * factor,
      y1: box.y1 * factor,
      x2: box.x2 * factor,
      y2: box.y2 * factor,
    },
    score,
    landmarks: landmarks?.map(({ x, y }) => ({ x: x * factor, y: y * factor })) ?? null,
  };
}
