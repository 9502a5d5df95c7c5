/** A point in pixels of the upright original image; the origin is the upper left corner. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** An axis-aligned box in pixels of the upright original image. */
export interface BoundingBox {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** The area in square pixels; 0 for a box with a negative width or height. */
export function boxArea(box: BoundingBox): number {
  return Math.max(0, box.w) * Math.max(0, box.h);
}

/** The part of a box that lies inside an image. If no part does, the width or height is 0. */
export function clampBox(
  { x, y, w, h }: BoundingBox,
  image: { readonly width: number; readonly height: number },
): BoundingBox {
  const left = clamp(x, image.width);
  const top = clamp(y, image.height);
  return {
    x: left,
    y: top,
    w: clamp(x + w, image.width) - left,
    h: clamp(y + h, image.height) - top,
  };
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(value, 0), max);
}

/** The intersection over union of two boxes, 0..1; 0 if both areas are 0. */
export function intersectionOverUnion(a: BoundingBox, b: BoundingBox): number {
  const width = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
  if (width <= 0 || height <= 0) return 0;
  const intersection = width * height;
  return intersection / (boxArea(a) + boxArea(b) - intersection);
}
