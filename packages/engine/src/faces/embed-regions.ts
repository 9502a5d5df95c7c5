import type { BoundingBox, Point } from '@sightline/core/analysis/geometry';
import type { EmbeddedRegion, FaceRegion } from '@sightline/core/analysis/image-analyzer';
import type { Raster } from '../image/raster.ts';
import { type StageObserver, timed } from '../stage.ts';
import { alignFace } from './align-face.ts';
import type { Corners } from './face-candidate.ts';
import type { FaceDetector } from './face-detector.ts';
import { faceInBox } from './face-in-box.ts';
import type { FaceRecognizer } from './face-recognizer.ts';

/** Lower than for faces that nobody has seen: who gives a region says that there is one. */
const SEARCH_THRESHOLD = 0.3;

interface EmbeddingModels {
  readonly detector: FaceDetector;
  readonly recognizer: FaceRecognizer;
}

interface PicturedRegions {
  readonly raster: Raster;
  readonly regions: readonly FaceRegion[];
}

/** A region as it is aligned; landmarks null: by the box. */
interface PlacedFace {
  readonly box: Corners;
  readonly landmarks: readonly Point[] | null;
}

/**
 * Embeds faces whose place is known. Given landmarks are taken as they are, so that those of a
 * detected face give the very embedding that its detection gave. Where there are none (or all in
 * one point), the detector looks for a face in the box, see {@link faceInBox}. If it sees none, an
 * average upright face in the box stands in, as for a detector without landmarks: the crop is
 * nearly a square of the box's height, laid so that the eyes come to where the recogniser expects
 * them. On photos that is nearer to the aligned embedding than a plain square around the box.
 *
 * A box without extent counts as one pixel. What lies outside the picture is black.
 *
 * @returns embeddings in the order of the regions
 */
export async function embedRegions(
  { detector, recognizer }: EmbeddingModels,
  { raster, regions }: PicturedRegions,
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
  given: readonly PlacedFace[],
): Promise<PlacedFace[]> {
  const faces: PlacedFace[] = [];
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

/** Points in one place say nothing about size and angle of a face. */
function areApart([first, ...others]: readonly Point[]): boolean {
  return others.some(({ x, y }) => x !== first!.x || y !== first!.y);
}
