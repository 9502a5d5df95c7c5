import type { LibraryPosition } from '../library/library-reader.ts';

/** A page holds the vectors of its detections in memory, about 2 KiB each. */
const MOST_IMAGES = 100;
const MOST_DETECTIONS = 1000;

/** The ids of the images page by page: a page has few detections, unless it is a single image. */
export function* pagePositions(positions: readonly LibraryPosition[]): Generator<number[]> {
  let page: number[] = [];
  let detections = 0;
  for (const { id, detectionCount } of positions) {
    const isFull = page.length === MOST_IMAGES || detections + detectionCount > MOST_DETECTIONS;
    if (isFull && page.length > 0) {
      yield page;
      page = [];
      detections = 0;
    }
    page.push(id);
    detections += detectionCount;
  }
  if (page.length > 0) yield page;
}
