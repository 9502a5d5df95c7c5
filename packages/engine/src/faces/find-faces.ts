import { turnOf } from '@sightline/core/analysis/face-landmarks';
import type { FaceAnalysisOptions, QuarterTurn } from '@sightline/core/analysis/image-analyzer';
import type { Raster } from '../image/raster.ts';
import { CloseUps } from './close-ups.ts';
import { type Square, squareAround } from './crop-around-box.ts';
import { clampToImage } from '../math/corners.ts';
import type { FaceCandidate } from './face-candidate.ts';
import type { FaceDetector } from './face-detector.ts';
import { findTurnedFaces } from './turned-faces.ts';
import { type UprightFace, uprightLandmarks } from './upright-landmarks.ts';

/** A detected face, and how it can be aligned. */
export interface FoundFace extends FaceCandidate {
  /** The landmarks by which the face is aligned and its direction is known; null if it has none that are plausible. */
  readonly upright: Pick<UprightFace, 'landmarks' | 'score'> | null;
  /** The square around the face, turned like the face. */
  readonly square: Square;
  /** The quarter turn by which the face is turned in the image. */
  readonly turned: QuarterTurn;
}

export type FindOptions = Pick<FaceAnalysisOptions, 'detectionThreshold' | 'fullFramePass'>;

/**
 * Finds the faces of an image. A face that is turned gets the landmarks of a close-up, see {@link uprightLandmarks}.
 * Faces that score low only because they are turned are found, too, see {@link findTurnedFaces}.
 *
 * @returns faces in descending order of their scores, in pixels of the image
 */
export async function findFaces(
  detector: FaceDetector,
  raster: Raster,
  { detectionThreshold: threshold, fullFramePass }: FindOptions,
): Promise<FoundFace[]> {
  const detected = await detector.search(raster, { threshold, fullFramePass });
  const closeUps = new CloseUps(detector, raster);
  const found: FoundFace[] = [];
  for (const face of detected.faces) {
    // A network may detect faces in the black margin beside the image.
    if (!isInImage(face, raster)) continue;
    const upright = face.landmarks ? await uprightLandmarks(closeUps, face) : null;
    found.push(withDirection(face, upright));
  }
  for (const face of await findTurnedFaces(closeUps, detected)) {
    if (face.score >= threshold) found.push(withDirection(face, face));
  }
  return found.toSorted((a, b) => b.score - a.score);
}

function withDirection(
  { box, score, landmarks }: FaceCandidate,
  upright: UprightFace | null,
): FoundFace {
  return {
    box,
    score,
    landmarks,
    upright,
    square: upright?.square ?? squareAround(box, 1),
    turned: upright === null ? 0 : turnOf(upright.landmarks),
  };
}

function isInImage({ box }: FaceCandidate, raster: Raster): boolean {
  const { w, h } = clampToImage(box, raster);
  return w > 0 && h > 0;
}
