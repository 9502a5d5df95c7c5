import type { BoundingBox } from '@sightline/core/analysis/geometry';
import type { Size } from './resize-bilinear.ts';

/** The corners of a box in pixels. The box of a detector may exceed the image. */
export interface Corners {
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
}

export function hasCenterOf({ x1, y1, x2, y2 }: Corners, other: Corners): boolean {
  const x = (other.x1 + other.x2) / 2;
  const y = (other.y1 + other.y2) / 2;
  return x >= x1 && x <= x2 && y >= y1 && y <= y2;
}

export function areaOf({ x1, y1, x2, y2 }: Corners): number {
  return (x2 - x1) * (y2 - y1);
}

export function sidesOf({ x1, y1, x2, y2 }: Corners): BoundingBox {
  return { x: x1, y: y1, w: x2 - x1, h: y2 - y1 };
}

/** Returns the part of a box that is inside an image. Its sides are 0 if there is none. */
export function clampToImage({ x1, y1, x2, y2 }: Corners, { width, height }: Size): BoundingBox {
  const x = Math.min(Math.max(x1, 0), width);
  const y = Math.min(Math.max(y1, 0), height);
  return {
    x,
    y,
    w: Math.max(0, Math.min(x2, width) - x),
    h: Math.max(0, Math.min(y2, height) - y),
  };
}
