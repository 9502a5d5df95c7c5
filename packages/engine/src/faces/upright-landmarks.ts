import { rollOf } from '@sightline/core/analysis/face-landmarks';
import type { Point } from '@sightline/core/analysis/geometry';
import type { CloseUpFace, CloseUps } from './close-ups.ts';
import type { Square } from './crop-around-box.ts';
import type { Corners } from '../math/corners.ts';
import type { FaceCandidate } from './face-candidate.ts';

/** The roll in degrees beyond which a close-up has to confirm the landmarks. */
const MAX_ROLL = 60;
/** The maximum number of close-ups in one direction; each is turned by the roll that the last one found. */
const MAX_STEPS = 5;
/** The roll in degrees, relative to its close-up, of a face whose landmarks need no further close-up. */
const FINE_ROLL = 3;
/** The step in degrees by which the direction of a turned face is refined. */
const REFINEMENT = 15;
/** The maximum number of such steps. */
const MAX_REFINEMENTS = 3;
/** How much more a face has to score in another direction than as it was found, unless the detector is certain of it. */
export const MIN_GAIN = 0.05;

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

type Limits = CloseUps['limits'];

interface LocatedLandmarks {
  readonly box: Corners;
  readonly landmarks: readonly Point[];
}

export interface UprightFace {
  readonly landmarks: readonly Point[];
  /** The highest score of the face in this direction, 0..1. */
  readonly score: number;
  /** The turned square around the face if a close-up shows better landmarks than the detected ones; otherwise null. */
  readonly square: Square | null;
}

/**
 * Finds the landmarks by which a detected face can be aligned. Most faces are upright, and keep their landmarks without
 * any cost. A face is searched for again in turned close-ups if its landmarks are implausible or turned, and if the
 * detector is not certain of it: detectors also find faces that lie on their side or upside down, but with lower scores,
 * and often place the landmarks as if the face were upright.
 *
 * @param face a face with landmarks
 * @returns null if neither the detected landmarks nor those of a close-up are plausible, or if no close-up is left
 */
export async function uprightLandmarks(
  closeUps: CloseUps,
  face: FaceCandidate,
): Promise<UprightFace | null> {
  const found = judge(closeUps, face);
  const { certainScore } = closeUps.limits;
  if (found.isExact && face.score >= certainScore) {
    return { landmarks: found.landmarks, score: face.score, square: null };
  }
  const own = await searchTurned(closeUps, face.box, found.roll);
  const best = await searchAround(closeUps, face.box, { roll: found.roll, own });
  if (closeUps.areExhausted) return null;
  if (isBetter(best, { found, own }, closeUps.limits)) return refine(closeUps, face.box, best);
  const score = Math.max(face.score, own?.score ?? 0);
  return found.fallback && { landmarks: found.fallback, score, square: null };
}

/**
 * Searches for a turned face where the detector has a candidate whose score is too low for a face. Networks give tilted
 * faces low scores, and high ones in a close-up that is turned by the right angle.
 *
 * @param candidate a candidate with landmarks
 * @returns null unless the detector is nearly certain of a face that is turned; an upright one keeps its low score
 */
export async function turnedFace(
  closeUps: CloseUps,
  candidate: FaceCandidate,
): Promise<CloseUpFace | null> {
  const { certainScore, exactRoll } = closeUps.limits;
  const { roll } = judge(closeUps, candidate);
  const own = await searchTurned(closeUps, candidate.box, roll);
  const best = await searchAround(closeUps, candidate.box, { roll, own, mayBeNone: true });
  if (best === null || Math.abs(best.roll) <= exactRoll) return null;
  const refined = await refine(closeUps, candidate.box, best);
  return refined.score >= certainScore - MIN_GAIN ? refined : null;
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

function judge(closeUps: CloseUps, { box, score, landmarks }: FaceCandidate): JudgedFace {
  const points = landmarks!;
  const isPlausible = closeUps.arePlausible(points, box);
  const roll = isPlausible ? rollOf(points) : 0;
  return {
    landmarks: points,
    score,
    roll,
    isPlausible,
    isExact: isPlausible && Math.abs(roll) <= closeUps.limits.exactRoll,
    fallback: isPlausible && Math.abs(roll) <= MAX_ROLL ? points : null,
  };
}

/** Whether the face of a close-up has better landmarks than the detected face. */
function isBetter(
  best: CloseUpFace | null,
  { found, own }: { readonly found: JudgedFace; readonly own: CloseUpFace | null },
  { certainScore, exactRoll }: Limits,
): best is CloseUpFace {
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
  closeUps: CloseUps,
  box: Corners,
): Promise<readonly Point[] | null> {
  const found = await searchAround(closeUps, box, { roll: 0, own: null });
  if (found === null || found.score < MIN_TURNED_SCORE) return null;
  return (await refine(closeUps, box, found)).landmarks;
}

/**
 * Returns stored landmarks unchanged if they are plausible and a close-up finds the face with their roll, otherwise those
 * of a face that {@link turnedLandmarks} finds.
 */
export async function trustedLandmarks(
  closeUps: CloseUps,
  { box, landmarks }: LocatedLandmarks,
): Promise<readonly Point[] | null> {
  if (isUpright(closeUps, { box, landmarks })) return landmarks;
  if (closeUps.arePlausible(landmarks, box)) {
    const roll = rollOf(landmarks);
    const found = await closeUps.search(box, roll);
    if (found !== null && Math.abs(angleBetween(found.roll, roll)) <= MAX_DEVIATION)
      return landmarks;
  }
  return turnedLandmarks(closeUps, box);
}

/** Whether a face has plausible landmarks and a roll that needs no confirmation. */
export function isUpright(
  closeUps: CloseUps,
  { box, landmarks }: { readonly box: Corners; readonly landmarks: readonly Point[] | null },
): boolean {
  return (
    landmarks !== null &&
    closeUps.arePlausible(landmarks, box) &&
    Math.abs(rollOf(landmarks)) <= MAX_ROLL
  );
}

interface Around {
  readonly roll: number;
  /** The face that was found with that roll. */
  readonly own: CloseUpFace | null;
  /** Whether the search may end if no quarter turn shows a face, because there may be none at all. */
  readonly mayBeNone?: boolean;
}

/**
 * Searches for a face in the other directions until the detector is certain of one, which may be `own`, and returns the
 * one with the highest score.
 */
async function searchAround(
  closeUps: CloseUps,
  box: Corners,
  { roll, own, mayBeNone = false }: Around,
): Promise<CloseUpFace | null> {
  let best = own;
  for (const turns of TURNS) {
    if (scoreOf(best) >= closeUps.limits.certainScore) break;
    for (const turn of turns) {
      const found = await searchTurned(closeUps, box, roll + turn);
      if (scoreOf(found) > scoreOf(best)) best = found;
    }
    if (best === null && mayBeNone) break;
  }
  return best;
}

function scoreOf(face: CloseUpFace | null): number {
  return face?.score ?? 0;
}

/** Searches for a face with about this roll. Each further close-up is turned by the roll that the last one found. */
async function searchTurned(
  closeUps: CloseUps,
  box: Corners,
  roll: number,
): Promise<CloseUpFace | null> {
  let best: CloseUpFace | null = null;
  let direction = roll;
  for (let step = 0; step < MAX_STEPS; step++) {
    const found = await closeUps.search(box, direction);
    if (found === null || Math.abs(angleBetween(found.roll, roll)) > MAX_ROLL) break;
    if (best !== null && found.score < best.score) break;
    best = found;
    if (Math.abs(angleBetween(found.roll, direction)) <= FINE_ROLL) break;
    direction = found.roll;
  }
  return best;
}

/**
 * Turns the close-up of a turned face further while its score rises. Landmarks follow only a part of the roll that a
 * face has in its close-up, so they may agree with a direction beside the right one.
 */
async function refine(closeUps: CloseUps, box: Corners, face: CloseUpFace): Promise<CloseUpFace> {
  let best = face;
  if (Math.abs(best.roll) <= closeUps.limits.exactRoll) return best;
  for (const turn of [REFINEMENT, -REFINEMENT]) {
    for (let step = 0; step < MAX_REFINEMENTS; step++) {
      const found = await closeUps.search(box, best.square.roll + turn);
      if (found === null || found.score <= best.score) break;
      best = found;
    }
    if (best !== face) break;
  }
  return best;
}

/** The angle from one direction to another in degrees, -180..180. */
function angleBetween(to: number, from: number): number {
  return ((((to - from + 180) % 360) + 360) % 360) - 180;
}
