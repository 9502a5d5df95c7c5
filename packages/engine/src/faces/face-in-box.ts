import { intersectionOverUnion } from '@sightline/core/analysis/geometry';
import { areaOf, type Corners, hasCenterOf, sidesOf } from '../math/corners.ts';
import type { FaceCandidate } from './face-candidate.ts';

const MIN_OVERLAP = 0.3;
/** The smallest area of a face relative to the box: a third of each side. */
const MIN_AREA_RATIO = 1 / 9;

/**
 * Finds the face that a box was drawn around: the face with the largest IoU among the matching
 * faces. A face matches if its IoU with the box is at least 0.3, or if its center is in the box and
 * its area is between a ninth of the box's area and the whole. The second rule is for loose boxes,
 * because a box around head and shoulders overlaps the face by less than 0.2. In an even looser
 * box, the detector may have found a person in the background, and a wrong person's embedding is
 * worse than the embedding of the box.
 *
 * @param candidates candidates without landmarks are ignored, because they cannot be aligned
 */
export function faceInBox(
  candidates: readonly FaceCandidate[],
  box: Corners,
): FaceCandidate | null {
  let best: FaceCandidate | null = null;
  let bestOverlap = 0;
  for (const candidate of candidates) {
    const overlap = intersectionOverUnion(sidesOf(candidate.box), sidesOf(box));
    const matches = overlap >= MIN_OVERLAP || fills(candidate.box, box);
    if (candidate.landmarks === null || !matches || overlap <= bestOverlap) continue;
    best = candidate;
    bestOverlap = overlap;
  }
  return best;
}

function fills(face: Corners, box: Corners): boolean {
  const ratio = areaOf(face) / areaOf(box);
  return hasCenterOf(box, face) && ratio >= MIN_AREA_RATIO && ratio <= 1;
}
