import { intersectionOverUnion, type BoundingBox } from '../../analysis/geometry.ts';
import type { DetectionType } from '../../detection-type.ts';

/** A box that the overlap rule compares. */
export interface Boxed {
  readonly bbox: BoundingBox;
  readonly type: DetectionType;
  /** Null for faces, and for objects that a person drew. */
  readonly className: string | null;
}

/** A found and a stored box that are the same thing, by their indexes in the two lists. */
export interface Pair {
  readonly found: number;
  readonly stored: number;
  /** Intersection over union, `minIou`..1. */
  readonly iou: number;
}

/**
 * The overlap rule: pairs found with stored boxes of the same type, one to one, highest IoU first,
 * down to `minIou` (0..1). Objects must have the same class too; a drawn box matches any class. Of
 * equal overlaps the lower index in `found`, then in `stored`, comes first.
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
  // Sorting is stable: equal overlaps stay in the order of the lists.
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
