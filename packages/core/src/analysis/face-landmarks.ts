import type { BoundingBox, Point } from './geometry.ts';
import type { QuarterTurn } from './image-analyzer.ts';

/** The eyes and the corners of the mouth may be this far apart in height, relative to the height of the face. */
const MAX_TILT = 0.3;
/** The nose's position between the eyes (0) and the mouth (1). Heads bent far down or back reach the limits. */
const NOSE = { min: 0.22, max: 0.92 };
/** The nose's distance from the axis of the face, relative to the distance between eyes and mouth; 0.46 in profiles. */
const MAX_NOSE_OFFSET = 0.75;
/** The distance between eyes and mouth, relative to the longer side of the box. People draw boxes around whole heads. */
const HEIGHT = { min: 0.1, max: 0.7 };
/** How far a point may lie outside the box, relative to its sides. It is much, because boxes end at the image. */
const MAX_OUTSIDE = 0.5;

/**
 * Whether five landmarks can belong to one face: the order of eyes, nose and mouth along the axis of the face, their
 * distances, and their positions in the box. The limits leave room around all faces of the reference photos, which include
 * profiles. The direction of the axis does not matter; see {@link rollOf}.
 *
 * @param landmarks left eye, right eye, nose, left and right corner of the mouth, as seen with the face upright
 * @param bbox the box of the face, clamped to the image as it is stored
 */
export function arePlausible(landmarks: readonly Point[], bbox: BoundingBox): boolean {
  const [leftEye, rightEye, nose, leftCorner, rightCorner] = landmarks as FivePoints;
  const { origin, axis } = axisOf(landmarks);
  const length = Math.hypot(axis.x, axis.y);
  const height = length / Math.max(bbox.w, bbox.h);
  // The comparison is negated so that NaN, from points that coincide, is not plausible.
  if (!isWithin(height, HEIGHT)) return false;
  const along = ({ x, y }: Point) =>
    ((x - origin.x) * axis.x + (y - origin.y) * axis.y) / length ** 2;
  const across = ({ x, y }: Point) =>
    ((x - origin.x) * axis.y - (y - origin.y) * axis.x) / length ** 2;
  return (
    isWithin(along(nose), NOSE) &&
    Math.abs(across(nose)) <= MAX_NOSE_OFFSET &&
    across(rightEye) > across(leftEye) &&
    across(rightCorner) > across(leftCorner) &&
    Math.abs(along(rightEye) - along(leftEye)) <= MAX_TILT &&
    Math.abs(along(rightCorner) - along(leftCorner)) <= MAX_TILT &&
    landmarks.every((point) => distanceOutside(point, bbox) <= MAX_OUTSIDE)
  );
}

/** The rotation of a face in the plane of the image, clockwise in degrees, -180..180: the direction from mouth to eyes. */
export function rollOf(landmarks: readonly Point[]): number {
  const { axis } = axisOf(landmarks);
  return (Math.atan2(-axis.x, axis.y) * 180) / Math.PI;
}

/** The quarter turn that is nearest to the roll of a face. */
export function turnOf(landmarks: readonly Point[]): QuarterTurn {
  return nearestTurn(rollOf(landmarks));
}

/** Returns the turn that is nearest to an angle in degrees, clockwise. */
export function nearestTurn(degrees: number): QuarterTurn {
  return ((((Math.round(degrees / 90) % 4) + 4) % 4) * 90) as QuarterTurn;
}

type FivePoints = readonly [Point, Point, Point, Point, Point];

/** The vector from the middle of the eyes to the middle of the mouth. */
function axisOf(landmarks: readonly Point[]): { readonly origin: Point; readonly axis: Point } {
  const [leftEye, rightEye, , leftCorner, rightCorner] = landmarks as FivePoints;
  const origin = middleOf(leftEye, rightEye);
  const mouth = middleOf(leftCorner, rightCorner);
  return { origin, axis: { x: mouth.x - origin.x, y: mouth.y - origin.y } };
}

function middleOf(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
}

function isWithin(value: number, { min, max }: { readonly min: number; readonly max: number }) {
  return value >= min && value <= max;
}

function distanceOutside({ x, y }: Point, bbox: BoundingBox): number {
  return Math.max(
    (bbox.x - x) / bbox.w,
    (x - bbox.x - bbox.w) / bbox.w,
    (bbox.y - y) / bbox.h,
    (y - bbox.y - bbox.h) / bbox.h,
  );
}
