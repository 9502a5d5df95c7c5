import { nearestTurn } from '@sightline/core/analysis/face-landmarks';
import type { Point } from '@sightline/core/analysis/geometry';
import type { QuarterTurn } from '@sightline/core/analysis/image-analyzer';
import { mapFromTurned, turnImage } from '../image/quarter-turn.ts';
import { freePixels, type Raster } from '../image/raster.ts';
import { shrinkImage } from '../kernels/shrink-image.ts';
import { type Affine, applyAffine } from '../math/affine.ts';
import type { Corners } from '../math/corners.ts';
import { type FaceDetector, MAX_FACES } from './face-detector.ts';
import { findFaces, type FindOptions, type FoundFace } from './find-faces.ts';
import { isBeside } from './turned-faces.ts';
import { MIN_GAIN } from './upright-landmarks.ts';

/** The turns that make a photo upright. */
const TURNS = [90, 270, 180] as const satisfies readonly QuarterTurn[];
/**
 * The longer side, in pixels, of the glances that decide which turn it is. In 312 photos turned by each quarter, the
 * right turn had the highest score of all four with both detectors, and at least 0.66.
 */
const GLANCE_SIDE = 192;
/** The minimum score of the best face in a glance. */
const MIN_GLANCE_SCORE = 0.6;
/**
 * The longer side, in pixels, of the image that is turned and searched. No network sees more of a whole photo. A panorama
 * is not searched in tiles this way.
 */
const SEARCH_SIDE = 1280;

/**
 * Finds the faces of a photo, which may lie on its side or upside down. Most faces of such a photo are missed, or found
 * with wrong landmarks. A photo is searched once if the detector is certain of a face, and the most certain one is
 * upright. In any other one, glances at its quarter turns decide whether it is searched again, turned. The second search
 * counts if the detector is nearly certain of one of its faces. Faces of the first search stay if they are beside those of
 * the second. A network with a large fixed input searches a photo once, because each glance would cost a whole pass.
 *
 * @returns at most 500 faces in descending order of their scores, in pixels of the image
 */
export async function findFacesInAnyTurn(
  detector: FaceDetector,
  raster: Raster,
  options: FindOptions,
): Promise<FoundFace[]> {
  const found = await findFaces(detector, raster, options);
  const side = glanceSide(detector);
  if (detector.closeUpPixels(side) > side ** 2 || isUprightPhoto(found, detector)) return found;
  const turn = await likelyTurn(detector, raster, found);
  if (turn === null) return found;
  const turned = await findInTurned(detector, { raster, turn }, options);
  const required = detector.limits.certainScore - MIN_GAIN;
  if (turned.every((face) => certaintyOf(face) < required)) return found;
  const isNew = isBeside(turned);
  return [...turned, ...found.filter(isNew)]
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MAX_FACES);
}

/** The side of glances, in pixels. A network with a small fixed input sees no more than that. */
function glanceSide({ closeUpSide }: FaceDetector): number {
  return Math.min(GLANCE_SIDE, closeUpSide);
}

/** Whether the detector is certain of a face, and the most certain one is upright. */
function isUprightPhoto(found: readonly FoundFace[], { limits }: FaceDetector): boolean {
  const best = found.toSorted((a, b) => certaintyOf(b) - certaintyOf(a))[0];
  return best?.turned === 0 && certaintyOf(best) >= limits.certainScore;
}

/** The highest score of a face, as it was found or in a close-up. */
function certaintyOf({ score, upright }: FoundFace): number {
  return Math.max(score, upright?.score ?? 0);
}

/** Returns the turn in which a glance shows the face of the highest score, or null if that is none. */
async function likelyTurn(
  detector: FaceDetector,
  raster: Raster,
  found: readonly FoundFace[],
): Promise<QuarterTurn | null> {
  const side = glanceSide(detector);
  const { image } = shrinkImage(raster, side);
  let best: { readonly turn: QuarterTurn; readonly score: number } = { turn: 0, score: 0 };
  // If the first search found no face, the photo as it is needs no glance.
  for (const turn of found.length === 0 ? TURNS : ([0, ...TURNS] as const)) {
    const options = { side, threshold: MIN_GLANCE_SCORE };
    const [face] = await detector.glance(turnImage(image, turn), options);
    if (face !== undefined && face.score > best.score) best = { turn, score: face.score };
  }
  return best.turn === 0 ? null : best.turn;
}

/**
 * Turns a photo clockwise by `turn`, and searches the result.
 *
 * @returns the faces whose landmarks are plausible, in pixels of the photo as it is
 */
async function findInTurned(
  detector: FaceDetector,
  { raster, turn }: { readonly raster: Raster; readonly turn: QuarterTurn },
  options: FindOptions,
): Promise<FoundFace[]> {
  const { image, scale } = shrinkImage(raster, SEARCH_SIDE);
  const turned = turnImage(image, turn);
  const faces = await findFaces(detector, turned, options);
  freePixels(turned);
  const place = { map: mapFromTurned(image, turn), scale: 1 / scale, turn };
  return faces
    .filter(({ landmarks, upright }) => upright !== null || landmarks === null)
    .map((face) => toPhoto(face, place));
}

/** The place of a turned photo in the photo as it is. */
interface Placement {
  readonly map: Affine;
  /** The pixels of the photo per pixel of the turned one. */
  readonly scale: number;
  readonly turn: QuarterTurn;
}

function toPhoto(face: FoundFace, { map, scale, turn }: Placement): FoundFace {
  const { box, landmarks, upright, square } = face;
  const place = (point: Point) => {
    const { x, y } = applyAffine(map, point);
    return { x: x * scale, y: y * scale };
  };
  return {
    ...face,
    box: boxAround(place({ x: box.x1, y: box.y1 }), place({ x: box.x2, y: box.y2 })),
    landmarks: landmarks?.map(place) ?? null,
    upright: upright && { ...upright, landmarks: upright.landmarks.map(place) },
    square: { ...place(square), side: square.side * scale, roll: square.roll - turn },
    turned: nearestTurn(face.turned - turn),
  };
}

function boxAround(a: Point, b: Point): Corners {
  return {
    x1: Math.min(a.x, b.x),
    y1: Math.min(a.y, b.y),
    x2: Math.max(a.x, b.x),
    y2: Math.max(a.y, b.y),
  };
}
