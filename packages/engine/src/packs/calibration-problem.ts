import type { CalibrationKnots } from '@sightline/core/models/model';

/**
 * Returns the reason why the knots of a calibration are invalid, or null. Valid knots are at least
 * two, with both coordinates within `min`..1 and raw values strictly ascending. Their calibrated
 * values never descend, because a better value must not look worse.
 */
export function calibrationProblem(knots: CalibrationKnots, min: -1 | 0): string | null {
  if (knots.length < 2) return 'needs at least two knots';
  if (knots.flat().some((value) => !(value >= min && value <= 1))) {
    return `must have both coordinates within ${min}..1`;
  }
  for (let i = 1; i < knots.length; i++) {
    const [x0, y0] = knots[i - 1]!;
    const [x1, y1] = knots[i]!;
    if (x1 <= x0) return 'must have strictly ascending raw values';
    if (y1 < y0) return 'must not have descending calibrated values';
  }
  return null;
}
