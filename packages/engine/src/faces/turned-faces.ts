import { intersectionOverUnion } from '@sightline/core/analysis/geometry';
import type { CloseUpFace, CloseUps } from './close-ups.ts';
import { hasCenterOf, sidesOf } from '../math/corners.ts';
import type { FaceCandidate } from './face-candidate.ts';
import type { DetectorResult } from './face-detector.ts';
import { turnedFace } from './upright-landmarks.ts';

/** The largest IoU, 0..1, of a turned face with another face. */
const MAX_OVERLAP = 0.3;

/**
 * Finds faces that the detector gives low scores only because they are turned.
 *
 * @returns faces that overlap neither a detected face nor each other
 */
export async function findTurnedFaces(
  closeUps: CloseUps,
  { faces, candidates }: DetectorResult,
): Promise<CloseUpFace[]> {
  const turned: CloseUpFace[] = [];
  for (const candidate of candidates) {
    const isNew = isBeside([...faces, ...turned]);
    if (!isNew(candidate)) continue;
    const face = await turnedFace(closeUps, candidate);
    if (face === null || !isNew(face)) continue;
    if (closeUps.arePlausible(face.landmarks, face.box)) turned.push(face);
  }
  return turned;
}

type Boxed = Pick<FaceCandidate, 'box'>;

/** Returns whether a box can be that of another face: neither of two faces has its center in the box of the other. */
export function isBeside(faces: readonly Boxed[]): (face: Boxed) => boolean {
  return ({ box }) =>
    faces.every(
      (other) =>
        !hasCenterOf(box, other.box) &&
        !hasCenterOf(other.box, box) &&
        intersectionOverUnion(sidesOf(other.box), sidesOf(box)) <= MAX_OVERLAP,
    );
}
