import type { Point } from '@sightline/core/analysis/geometry';

/** An affine map of the plane: (x, y) -> (a x + b y + tx, c x + d y + ty). */
export interface Affine {
  readonly a: number;
  readonly b: number;
  readonly tx: number;
  readonly c: number;
  readonly d: number;
  readonly ty: number;
}

export function applyAffine({ a, b, tx, c, d, ty }: Affine, { x, y }: Point): Point {
  return { x: a * x + b * y + tx, y: c * x + d * y + ty };
}

/**
 * Returns the inverse map. For a singular map, it returns a map that sends every point to the
 * origin.
 */
export function invertAffine({ a, b, tx, c, d, ty }: Affine): Affine {
  const determinant = a * d - b * c;
  const k = determinant === 0 ? 0 : 1 / determinant;
  const inverse = { a: d * k, b: -b * k, c: -c * k, d: a * k };
  return {
    ...inverse,
    tx: -inverse.a * tx - inverse.b * ty,
    ty: -inverse.c * tx - inverse.d * ty,
  };
}
