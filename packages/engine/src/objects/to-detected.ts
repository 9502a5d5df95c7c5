import type { BoundingBox } from '@sightline/core/analysis/geometry';
import type { Raster } from '../image/raster.ts';
import type { Fit } from '../math/fit.ts';
import type { ObjectCandidate } from './object-candidate.ts';
import type { DetectedObject } from './detected-object.ts';

interface DetectedIn {
  readonly fit: Fit;
  readonly raster: Raster;
  readonly classes: readonly string[];
}

/**
 * Converts candidates to pixels of the image and clamps them to the image. Candidates outside the
 * image are dropped.
 */
export function toDetected(
  candidates: readonly ObjectCandidate[],
  { fit, raster, classes }: DetectedIn,
): DetectedObject[] {
  return candidates
    .map((candidate) => ({
      bbox: toImageBox(candidate, fit, raster),
      confidence: candidate.score,
      classId: candidate.classId,
      className: classes[candidate.classId]!,
    }))
    .filter(({ bbox }) => bbox.w > 0 && bbox.h > 0);
}

function toImageBox(
  { x1, y1, x2, y2 }: ObjectCandidate,
  { scaleX, scaleY, left: padX, top: padY }: Fit,
  { width, height }: Raster,
): BoundingBox {
  const left = clamp((x1 - padX) / scaleX, width);
  const top = clamp((y1 - padY) / scaleY, height);
  return {
    x: left,
    y: top,
    w: clamp((x2 - padX) / scaleX, width) - left,
    h: clamp((y2 - padY) / scaleY, height) - top,
  };
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(value, 0), max);
}
