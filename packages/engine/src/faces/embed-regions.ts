import type { BoundingBox, Point } from '@sightline/core/analysis/geometry';
import type { EmbeddedRegion, FaceRegion } from '@sightline/core/analysis/image-analyzer';
import type { Raster } from '../image/raster.ts';
import { type StageObserver, timed } from '../stage.ts';
import { CloseUps } from './close-ups.ts';
import { embedLocated, type LocatedFace } from './embed-located.ts';
import type { Corners } from '../math/corners.ts';
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
 * Embeds faces at known positions. Plausible landmarks of a face that is not turned far are used unchanged, so that the
 * landmarks of a detected face yield exactly the embedding of its detection. A close-up has to confirm those of other
 * faces, see {@link trustedLandmarks}. If it does not, the face is searched for again in all directions; if none is found,
 * there is no embedding. Faces that are not searched in all directions, because no close-ups are left ({@link CloseUps}),
 * have none either.
 *
 * Without landmarks the detector searches for a face in the box, see {@link faceInBox}. If it finds
 * none, the mean landmarks of a face in the box are used, which is upright unless the region is
 * turned. On photos, this result is closer to the aligned embedding than the embedding of a plain
 * square around the box.
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
  const given = regions.map(({ bbox, ...region }) => ({ box: cornersOf(bbox), ...region }));
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
  for (const face of given) {
    const { box, landmarks: stored } = face;
    const landmarks =
      stored === null
        ? await landmarksInBox(search, box)
        : await trustedLandmarks(closeUps, { box, landmarks: stored });
    const isEmbeddedByBox = stored === null && !closeUps.areExhausted;
    faces.push(landmarks !== null || isEmbeddedByBox ? { ...face, landmarks } : null);
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
