import type { CalibrationKnots } from '@sightline/core/models/model';

/**
 * What is wrong with the knots of a similarity calibration, or null: at least two, both
 * coordinates within -1..1, cosines strictly ascending, similarities never descending (a better
 * match must not look worse).
 */
export function calibrationProblem(knots: CalibrationKnots): string | null {
  if (knots.length < 2) return 'needs at least two knots';
  if (knots.flat().some((value) => !(value >= -1 && value <= 1))) {
    return 'must have both coordinates within -1..1';
  }
  for (let i = 1; i < knots.length; i++) {
    const [x0, y0] = knots[i - 1]!;
    const [x1, y1] = knots[i]!;
    if (x1 <= x0) return 'must have strictly ascending cosines';
    if (y1 < y0) return 'must not have descending similarities';
  }
  return null;
}
