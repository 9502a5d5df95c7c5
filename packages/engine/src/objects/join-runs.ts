import { intersectionOverUnion } from '@sightline/core/analysis/geometry';
import type { DetectedObject } from './detected-object.ts';
import { MAX_OBJECTS } from './suppress-objects.ts';

/**
 * The largest IoU of two objects of a class that two runs found. It is lower than within a run, because the boxes of
 * one object differ more when the network sees the object at different scales.
 */
const MAX_OVERLAP = 0.5;

/**
 * Joins what a network found in an image and in its tiles: of an object that several runs found, the one with the
 * highest confidence stays.
 *
 * @param runs the objects of each run, already suppressed, in pixels of the image
 * @returns at most as many objects as one run finds, best first
 */
export function joinRuns(runs: readonly DetectedObject[][]): DetectedObject[] {
  const best = runs
    .flatMap((objects, run) => objects.map((object) => ({ object, run })))
    .sort((a, b) => b.object.confidence - a.object.confidence);
  const kept: typeof best = [];
  for (const { object, run } of best) {
    const isKnown = kept.some(
      (other) =>
        other.run !== run &&
        other.object.classId === object.classId &&
        intersectionOverUnion(other.object.bbox, object.bbox) > MAX_OVERLAP,
    );
    if (!isKnown) kept.push({ object, run });
    if (kept.length === MAX_OBJECTS) break;
  }
  return kept.map(({ object }) => object);
}
