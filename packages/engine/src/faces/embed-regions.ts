import type { BoundingBox, Point } from '@sightline/core/analysis/geometry';
import type { EmbeddedRegion, FaceRegion } from '@sightline/core/analysis/image-analyzer';
import type { Raster } from '../image/raster.ts';
import { type StageObserver, timed } from '../stage.ts';
import { alignFace } from './align-face.ts';
import type { Corners } from './face-candidate.ts';
import type { FaceDetector } from './face-detector.ts';
import { faceInBox } from './face-in-box.ts';
import type { FaceRecognizer } from './face-recognizer.ts';

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

interface FaceToAlign {
  readonly box: Corners;
  readonly landmarks: readonly Point[] | null;
}

/**
 * Embeds faces at known positions. Given landmarks are used unchanged, so that the landmarks of a
 * detected face yield exactly the embedding of its detection. Without landmarks (or if all are at
 * one point), the detector searches for a face in the box, see {@link faceInBox}. If the detector
 * finds none, the mean landmarks of an upright face in the box are used. On photos, this result is
 * closer to the aligned embedding than the embedding of a plain square around the box.
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
  const given = regions.map(({ bbox, landmarks }) => ({
    box: cornersOf(bbox),
    landmarks: landmarks !== null && areApart(landmarks) ? landmarks : null,
  }));
  const faces = given.every(({ landmarks }) => landmarks !== null)
    ? given
    : await timed(observe, 'detect', () => findLandmarks(detector, raster, given));
  const aligned = await timed(observe, 'align', () =>
    faces.map((face) => alignFace(raster, face, recognizer.side)),
  );
  const embeddings = await timed(observe, 'embed', () => recognizer.embed(aligned));
  return faces.map(({ landmarks }, index) => ({
    embedding: embeddings[index]!,
    embeddingSource: landmarks === null ? 'box' : 'aligned',
    landmarks,
  }));
}

async function findLandmarks(
  detector: FaceDetector,
  raster: Raster,
  given: readonly FaceToAlign[],
): Promise<FaceToAlign[]> {
  const faces: FaceToAlign[] = [];
  for (const face of given) {
    const { box } = face;
    const found =
      face.landmarks === null
        ? faceInBox(await detector.detectAround(raster, box, SEARCH_THRESHOLD), box)
        : face;
    faces.push({ box, landmarks: found?.landmarks ?? null });
  }
  return faces;
}

function cornersOf({ x, y, w, h }: BoundingBox): Corners {
  return { x1: x, y1: y, x2: x + Math.max(w, 1), y2: y + Math.max(h, 1) };
}

/**
 * Returns whether at least two points differ. Landmarks that coincide do not determine the size and
 * angle of a face.
 */
function areApart([first, ...others]: readonly Point[]): boolean {
  return others.some(({ x, y }) => x !== first!.x || y !== first!.y);
}
