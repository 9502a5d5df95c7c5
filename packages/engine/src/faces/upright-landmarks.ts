import { arePlausible, rollOf } from '@sightline/core/analysis/face-landmarks';
import type { Point } from '@sightline/core/analysis/geometry';
import type { Raster } from '../image/raster.ts';
import { warpAffine } from '../kernels/warp-affine.ts';
import { applyAffine, invertAffine } from '../math/affine.ts';
import { CROP_MARGIN, squareAround, turnedSquare } from './crop-around-box.ts';
import { type Corners, type FaceCandidate, sidesOf } from './face-candidate.ts';
import type { FaceDetector } from './face-detector.ts';
import { faceInBox } from './face-in-box.ts';

/** The roll in degrees beyond which a close-up has to confirm the landmarks. */
const MAX_ROLL = 60;
/** The side, in pixels, of the close-ups. */
const TURN_SIDE = 128;
/** The minimum score in a close-up. It is low, because the caller says that there is a face. */
const SEARCH_THRESHOLD = 0.3;
/** The maximum number of close-ups in one direction; each is turned by the roll that the last one found. */
const MAX_STEPS = 5;
/** The roll in degrees, relative to its close-up, of a face whose landmarks need no further close-up. */
const FINE_ROLL = 3;
/** How much more a face has to score in another direction than as it was found, unless the detector is certain of it. */
const MIN_GAIN = 0.05;

/**
 * The directions in degrees, relative to the roll that was found first, in which a face is searched for: quarter turns,
 * and the directions between them if the detector is not certain of any face.
 */
const TURNS = [
  [180, 90, -90],
  [45, -45, 135, -135],
] as const;
/** The minimum score of a face that only a turned close-up shows. */
const MIN_TURNED_SCORE = 0.5;
/** The greatest difference in degrees between the roll of stored landmarks and that of the face that is found. */
const MAX_DEVIATION = 30;

type CloseUpDetector = Pick<FaceDetector, 'limits' | 'closeUpSide' | 'detectInCloseUp'>;
type Limits = FaceDetector['limits'];

interface LocatedLandmarks {
  readonly box: Corners;
  readonly landmarks: readonly Point[];
}

interface FaceInImage {
  readonly raster: Raster;
  readonly box: Corners;
}

interface TurnedFace {
  readonly score: number;
  /** The roll in the image in degrees. */
  readonly roll: number;
  /** In pixels of the image. */
  readonly landmarks: readonly Point[];
}

/**
 * Finds the landmarks by which a detected face can be aligned. Most faces are upright, and keep their landmarks without
 * any cost. A face is searched for again in turned close-ups if its landmarks are implausible or turned, and if the
 * detector is not certain of it: detectors also find faces that lie on their side or upside down, but with lower scores,
 * and often place the landmarks as if the face were upright.
 *
 * @param face a face with landmarks
 * @returns null if neither the detected landmarks nor those of a close-up are plausible
 */
export async function uprightLandmarks(
  detector: CloseUpDetector,
  raster: Raster,
  face: FaceCandidate,
): Promise<readonly Point[] | null> {
  const found = judge(face, detector.limits);
  const { certainScore } = detector.limits;
  if (found.isExact && face.score >= certainScore) return found.landmarks;

  const given = { raster, box: face.box };
  const own = await searchTurned(detector, given, found.roll);
  const best =
    own !== null && own.score >= certainScore
      ? own
      : await searchAround(detector, given, { roll: found.roll, own });
  return isBetter(best, { found, own }, detector.limits) ? best.landmarks : found.fallback;
}

interface JudgedFace {
  readonly landmarks: readonly Point[];
  readonly score: number;
  /** The roll in degrees; 0 if the landmarks are implausible. */
  readonly roll: number;
  readonly isPlausible: boolean;
  /** Whether the landmarks are plausible and as exact as those of an upright face, if the face has this roll. */
  readonly isExact: boolean;
  /** The landmarks to use if no close-up shows better ones; null for none. */
  readonly fallback: readonly Point[] | null;
}

function judge({ box, score, landmarks }: FaceCandidate, { exactRoll }: Limits): JudgedFace {
  const points = landmarks!;
  const isPlausible = arePlausible(points, sidesOf(box));
  const roll = isPlausible ? rollOf(points) : 0;
  return {
    landmarks: points,
    score,
    roll,
    isPlausible,
    isExact: isPlausible && Math.abs(roll) <= exactRoll,
    fallback: isPlausible && Math.abs(roll) <= MAX_ROLL ? points : null,
  };
}

/** Whether the face of a close-up has better landmarks than the detected face. */
function isBetter(
  best: TurnedFace | null,
  { found, own }: { readonly found: JudgedFace; readonly own: TurnedFace | null },
  { certainScore, exactRoll }: Limits,
): best is TurnedFace {
  if (best === null) return false;
  const { isExact, score } = found;
  if (isExact && Math.abs(angleBetween(best.roll, found.roll)) <= exactRoll) return false;
  if (best === own) return !isExact || best.score >= score + MIN_GAIN;
  const upright = found.isPlausible ? Math.max(score, own?.score ?? 0) : score;
  return best.score >= upright + (best.score >= certainScore ? 0 : MIN_GAIN);
}

/**
 * Searches a box for a face that is not upright.
 *
 * @returns null if the detector finds none of at least medium score
 */
export async function turnedLandmarks(
  detector: CloseUpDetector,
  raster: Raster,
  box: Corners,
): Promise<readonly Point[] | null> {
  const found = await searchAround(detector, { raster, box }, { roll: 0, own: null });
  return found !== null && found.score >= MIN_TURNED_SCORE ? found.landmarks : null;
}

/**
 * Returns stored landmarks unchanged if they are plausible and a close-up finds the face with their roll, otherwise those
 * of a face that {@link turnedLandmarks} finds.
 */
export async function trustedLandmarks(
  detector: CloseUpDetector,
  raster: Raster,
  { box, landmarks }: LocatedLandmarks,
): Promise<readonly Point[] | null> {
  if (isUpright({ box, landmarks })) return landmarks;
  if (arePlausible(landmarks, sidesOf(box))) {
    const roll = rollOf(landmarks);
    const found = await closeUp(detector, { raster, box }, roll);
    if (found !== null && Math.abs(angleBetween(found.roll, roll)) <= MAX_DEVIATION)
      return landmarks;
  }
  return turnedLandmarks(detector, raster, box);
}

/** Whether a face has plausible landmarks and a roll that needs no confirmation. */
export function isUpright({
  box,
  landmarks,
}: {
  readonly box: Corners;
  readonly landmarks: readonly Point[] | null;
}): boolean {
  return (
    landmarks !== null &&
    arePlausible(landmarks, sidesOf(box)) &&
    Math.abs(rollOf(landmarks)) <= MAX_ROLL
  );
}

/** Searches for a face in the other directions and returns the one with the highest score, or `own`. */
async function searchAround(
  detector: CloseUpDetector,
  face: FaceInImage,
  { roll, own }: { readonly roll: number; readonly own: TurnedFace | null },
): Promise<TurnedFace | null> {
  let best = own;
  for (const turns of TURNS) {
    for (const turn of turns) {
      const found = await searchTurned(detector, face, roll + turn);
      if (found !== null && found.score > (best?.score ?? 0)) best = found;
    }
    if (best !== null && best.score >= detector.limits.certainScore) break;
  }
  return best;
}

/** Searches for a face with about this roll. Each further close-up is turned by the roll that the last one found. */
async function searchTurned(
  detector: CloseUpDetector,
  face: FaceInImage,
  roll: number,
): Promise<TurnedFace | null> {
  let best: TurnedFace | null = null;
  let direction = roll;
  for (let step = 0; step < MAX_STEPS; step++) {
    const found = await closeUp(detector, face, direction);
    if (found === null || Math.abs(angleBetween(found.roll, roll)) > MAX_ROLL) break;
    if (best !== null && found.score < best.score) break;
    best = found;
    if (Math.abs(angleBetween(found.roll, direction)) <= FINE_ROLL) break;
    direction = found.roll;
  }
  return best;
}

async function closeUp(
  detector: CloseUpDetector,
  { raster, box }: FaceInImage,
  roll: number,
): Promise<TurnedFace | null> {
  const side = Math.min(TURN_SIDE, detector.closeUpSide);
  const toCrop = turnedSquare(squareAround(box, CROP_MARGIN), { side, roll });
  const crop = {
    data: warpAffine(raster, toCrop, { width: side, height: side }),
    width: side,
    height: side,
  };
  const found = faceInBox(await detector.detectInCloseUp(crop, SEARCH_THRESHOLD), middleOf(side));
  if (found === null || !arePlausible(found.landmarks!, sidesOf(found.box))) return null;
  const toImage = invertAffine(toCrop);
  const landmarks = found.landmarks!.map((point) => applyAffine(toImage, point));
  return { score: found.score, roll: rollOf(landmarks), landmarks };
}

/** The square that the face takes up in the middle of a close-up. */
function middleOf(side: number): Corners {
  const margin = (side - side / CROP_MARGIN) / 2;
  return { x1: margin, y1: margin, x2: side - margin, y2: side - margin };
}

/** The angle from one direction to another in degrees, -180..180. */
function angleBetween(to: number, from: number): number {
  return ((((to - from + 180) % 360) + 360) % 360) - 180;
}
