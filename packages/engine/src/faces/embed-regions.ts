import type { BoundingBox, Point } from '@sightline/core/analysis/geometry';
import type { EmbeddedRegion, FaceRegion } from '@sightline/core/analysis/image-analyzer';
import type { Raster } from '../image/raster.ts';
import { type StageObserver, timed } from '../stage.ts';
import { embedLocated, type LocatedFace } from './embed-located.ts';
import type { Corners } from './face-candidate.ts';
import type { FaceDetector } from './face-detector.ts';
import { faceInBox } from './face-in-box.ts';
import type { FaceRecognizer } from './face-recognizer.ts';
import {
  isUpright,
  trustedLandmarks,
  turnedLandmarks,
  uprightLandmarks,
} from './upright-landmarks.ts';

/** Lower than the usual detection threshold, because the caller says that there is a face. */
const SEARCH_THRESHOLD = 0.3;

interface EmbeddingModels {
  readonly detector: FaceDetector;
  readonly recognizer: FaceRecognizer;
}

interface ImageRegions {
  readonly raster: Raster;
  readonly regions: readonly FaceRegion[];
}

/**
 * Embeds faces at known positions. Plausible landmarks are used unchanged, so that the landmarks of a
 * detected face yield exactly the embedding of its detection. If they are implausible, the face is
 * searched for again in all directions, see {@link trustedLandmarks}; if none is found, there is no
 * embedding.
 *
 * Without landmarks the detector searches for a face in the box, see {@link faceInBox}. If it finds
 * none, the mean landmarks of an upright face in the box are used. On photos, this result is closer
 * to the aligned embedding than the embedding of a plain square around the box.
 *
 * A box without area counts as one pixel. Pixels outside the image are black.
 *
 * @returns embeddings in the order of the regions
 */
export async function embedRegions(
  { detector, recognizer }: EmbeddingModels,
  { raster, regions }: ImageRegions,
  observe: StageObserver,
): Promise<EmbeddedRegion[]> {
  const given = regions.map(({ bbox, landmarks }) => ({ box: cornersOf(bbox), landmarks }));
  const faces = given.every(isUpright)
    ? given
    : await timed(observe, 'detect', () => locateFaces(detector, raster, given));
  return embedLocated(recognizer, { raster, faces }, observe);
}

async function locateFaces(
  detector: FaceDetector,
  raster: Raster,
  given: readonly LocatedFace[],
): Promise<(LocatedFace | null)[]> {
  const faces: (LocatedFace | null)[] = [];
  for (const { box, landmarks } of given) {
    if (landmarks === null) {
      faces.push({ box, landmarks: await landmarksInBox(detector, raster, box) });
    } else {
      const trusted = await trustedLandmarks(detector, raster, { box, landmarks });
      faces.push(trusted && { box, landmarks: trusted });
    }
  }
  return faces;
}

async function landmarksInBox(
  detector: FaceDetector,
  raster: Raster,
  box: Corners,
): Promise<readonly Point[] | null> {
  const face = faceInBox(await detector.detectAround(raster, box, SEARCH_THRESHOLD), box);
  return face === null
    ? turnedLandmarks(detector, raster, box)
    : uprightLandmarks(detector, raster, face);
}

function cornersOf({ x, y, w, h }: BoundingBox): Corners {
  return { x1: x, y1: y, x2: x + Math.max(w, 1), y2: y + Math.max(h, 1) };
}
