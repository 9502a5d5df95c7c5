import { type BoundingBox, intersectionOverUnion } from '@sightline/core/analysis/geometry';
import type { Corners, FaceCandidate } from './face-candidate.ts';

/** A face that overlaps the box as much is the one that was boxed. */
const SURE_OVERLAP = 0.3;
/** Of a box: the third of each side. */
const LEAST_SHARE = 1 / 9;

/**
 * The face that somebody meant who drew a box: the one that overlaps it best, if it does so by an
 * IoU of 0.3, or if its centre lies in the box and it takes up a ninth to all of it. The second rule
 * is for loose boxes: one around head and shoulders overlaps the face by less than 0.2. In a box
 * that is looser still, the detector may have found somebody in the background, and a wrong
 * person's embedding is worse than that of the box.
 *
 * @param candidates those without landmarks are left out: nothing can be aligned by them
 */
export function faceInBox(
  candidates: readonly FaceCandidate[],
  box: Corners,
): FaceCandidate | null {
  let best: FaceCandidate | null = null;
  let bestOverlap = 0;
  for (const candidate of candidates) {
    const overlap = intersectionOverUnion(sidesOf(candidate.box), sidesOf(box));
    const meant = overlap >= SURE_OVERLAP || fills(candidate.box, box);
    if (candidate.landmarks === null || !meant || overlap <= bestOverlap) continue;
    best = candidate;
    bestOverlap = overlap;
  }
  return best;
}

function fills(face: Corners, box: Corners): boolean {
  const x = (face.x1 + face.x2) / 2;
  const y = (face.y1 + face.y2) / 2;
  const inside = x >= box.x1 && x <= box.x2 && y >= box.y1 && y <= box.y2;
  const share = area(face) / area(box);
  return inside && share >= LEAST_SHARE && share <= 1;
}

function area({ x1, y1, x2, y2 }: Corners): number {
  return (x2 - x1) * (y2 - y1);
}

function sidesOf({ x1, y1, x2, y2 }: Corners): BoundingBox {
  return { x: x1, y: y1, w: x2 - x1, h: y2 - y1 };
}
