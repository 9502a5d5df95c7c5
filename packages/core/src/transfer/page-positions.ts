import type { LibraryPosition } from '../library/library-reader.ts';

const MOST_IMAGES = 100;
/** The most detections of a page, because their vectors are in memory, about 2 KiB each. */
const MOST_DETECTIONS = 1000;

/** Yields the ids of the images in pages. Only a page with a single image may have more than {@link MOST_DETECTIONS}. */
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
