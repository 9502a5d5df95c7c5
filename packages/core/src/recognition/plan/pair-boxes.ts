import { intersectionOverUnion, type BoundingBox } from '../../analysis/geometry.ts';
import type { DetectionType } from '../../detection-type.ts';

export interface Boxed {
  readonly bbox: BoundingBox;
  readonly type: DetectionType;
  /** Null for faces and for drawn objects. */
  readonly className: string | null;
}

/** The indexes of a found and a stored box that show the same face or object. */
export interface Pair {
  readonly found: number;
  readonly stored: number;
  /** The intersection over union, `minIou`..1. */
  readonly iou: number;
}

/**
 * Pairs found boxes with stored boxes, one to one and in descending order of IoU, down to `minIou` (0..1). Both boxes
 * must have the same type. Objects must also have the same class, but a drawn object matches any class. Equal overlaps
 * are ordered by the index in `found`, then by the index in `stored`.
 *
 * @returns the pairs in descending order of IoU
 */
export function pairBoxes(
  found: readonly Boxed[],
  stored: readonly Boxed[],
  minIou = 0.5,
): readonly Pair[] {
  const freeFound = new Set(found.keys());
  const freeStored = new Set(stored.keys());
  return overlaps(found, stored, minIou).filter((pair) => {
    if (!freeFound.has(pair.found) || !freeStored.has(pair.stored)) return false;
    freeFound.delete(pair.found);
    freeStored.delete(pair.stored);
    return true;
  });
}

function overlaps(found: readonly Boxed[], stored: readonly Boxed[], minIou: number): Pair[] {
  // The sort is stable, so equal overlaps stay in the order of the lists.
  return found
    .flatMap((a, foundAt) =>
      stored.flatMap((b, storedAt) => {
        if (!areComparable(a, b)) return [];
        const iou = intersectionOverUnion(a.bbox, b.bbox);
        return iou >= minIou ? [{ found: foundAt, stored: storedAt, iou }] : [];
      }),
    )
    .sort((p, q) => q.iou - p.iou);
}

function areComparable(a: Boxed, b: Boxed): boolean {
  if (a.type !== b.type) return false;
  return a.className === null || b.className === null || a.className === b.className;
}
