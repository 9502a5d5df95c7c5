export interface Box {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** The boxes of two analyses of one photo differ by rounding only. */
const LEAST_OVERLAP = 0.5;

/** The item whose box covers most of the same place; undefined if none covers half of it. */
export function closestBox<T extends { readonly bbox: Box }>(
  items: readonly T[],
  box: Box,
): T | undefined {
  return items
    .map((item) => ({ item, overlap: overlapOf(item.bbox, box) }))
    .filter(({ overlap }) => overlap >= LEAST_OVERLAP)
    .toSorted((a, b) => b.overlap - a.overlap)[0]?.item;
}

/** The shared part of two boxes as a share of what they cover together. */
function overlapOf(a: Box, b: Box): number {
  const width = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
  const shared = Math.max(0, width) * Math.max(0, height);
  return shared / (a.w * a.h + b.w * b.h - shared);
}
