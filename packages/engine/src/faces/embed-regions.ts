import type { BoundingBox, Point } from '@sightline/core/analysis/geometry';
import type { EmbeddedRegion, FaceRegion } from '@sightline/core/analysis/image-analyzer';
import type { Raster } from '../image/raster.ts';
import { type StageObserver, timed } from '../stage.ts';
import { CloseUps } from './close-ups.ts';
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
  const closeUps = new CloseUps(detector, raster);
  const faces = given.every((face) => isUpright(closeUps, face))
    ? given
    : await timed(observe, 'detect', () => locateFaces({ detector, raster, closeUps }, given));
  return embedLocated(recognizer, { raster, faces }, observe);
}

interface Search {
  readonly detector: FaceDetector;
  readonly raster: Raster;
  readonly closeUps: CloseUps;
}

async function locateFaces(
  search: Search,
  given: readonly LocatedFace[],
): Promise<(LocatedFace | null)[]> {
  const { closeUps } = search;
  const faces: (LocatedFace | null)[] = [];
  for (const { box, landmarks: stored } of given) {
    const landmarks =
      stored === null
        ? await landmarksInBox(search, box)
        : await trustedLandmarks(closeUps, { box, landmarks: stored });
    const isAsDrawn = stored === null && !closeUps.areExhausted;
    faces.push(landmarks !== null || isAsDrawn ? { box, landmarks } : null);
  }
  return faces;
}

async function landmarksInBox(
  { detector, raster, closeUps }: Search,
  box: Corners,
): Promise<readonly Point[] | null> {
  const face = faceInBox(await detector.detectAround(raster, box, SEARCH_THRESHOLD), box);
  const found =
    face === null
      ? await turnedLandmarks(closeUps, box)
      : ((await uprightLandmarks(closeUps, face))?.landmarks ?? null);
  return found !== null && closeUps.arePlausible(found, box) ? found : null;
}

function cornersOf({ x, y, w, h }: BoundingBox): Corners {
  return { x1: x, y1: y, x2: x + Math.max(w, 1), y2: y + Math.max(h, 1) };
}
