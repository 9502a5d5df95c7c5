import type { BoundingBox } from '@sightline/core/analysis/geometry';
import type { QuarterTurn } from '@sightline/core/analysis/image-analyzer';
import { matchBoxes } from './match-boxes.ts';

/** Two boxes with at least this intersection over union show the same face. */
const SAME_FACE = 0.5;

/** The faces of a turned photo, compared with those of the upright one. */
export interface RecoveredFaces {
  /** The number of faces in the upright photo. */
  readonly faces: number;
  /** The number of these faces that are found in the turned photo. */
  readonly found: number;
  /** The number of found faces whose angle is that of the upright face and the turn together. */
  readonly rightAngle: number;
  /** The number of faces that are found only in the turned photo. */
  readonly extra: number;
}

export const NO_FACES: RecoveredFaces = { faces: 0, found: 0, rightAngle: 0, extra: 0 };

interface Face {
  readonly bbox: BoundingBox;
  readonly turned: QuarterTurn;
}

/** @param turned the faces of the turned photo, with their boxes in the upright photo */
export function recoverFaces(
  upright: readonly Face[],
  turned: readonly Face[],
  turn: QuarterTurn,
): RecoveredFaces {
  const { pairs, extra } = matchBoxes(turned, upright, { least: SAME_FACE });
  const isRight = ({ found, expected }: { readonly found: Face; readonly expected: Face }) =>
    found.turned === (expected.turned + turn) % 360;
  return {
    faces: upright.length,
    found: pairs.length,
    rightAngle: pairs.filter(isRight).length,
    extra: extra.length,
  };
}

export function plus(a: RecoveredFaces, b: RecoveredFaces): RecoveredFaces {
  return {
    faces: a.faces + b.faces,
    found: a.found + b.found,
    rightAngle: a.rightAngle + b.rightAngle,
    extra: a.extra + b.extra,
  };
}
