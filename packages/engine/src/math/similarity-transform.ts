import type { Point } from '@sightline/core/analysis/geometry';
import type { Affine } from './affine.ts';

/**
 * The rotation, uniform scale and shift that brings points closest to others in the least-squares
 * sense (Umeyama, "Least-squares estimation of transformation parameters between two point
 * patterns", 1991), never a reflection: mirrored points get the best proper rotation.
 *
 * In the plane the singular value decomposition of the paper has a closed form: the rotation that
 * maximises the correlation has the angle of (trace, skew) of the cross-covariance, and its
 * corrected singular values add up to the length of that vector.
 *
 * @param from at least two points
 * @param to as many points
 * @returns null if no such map is determined: all points coincide, or no angle is better than another
 */
export function similarityTransform(from: readonly Point[], to: readonly Point[]): Affine | null {
  const fromCentre = centreOf(from);
  const toCentre = centreOf(to);
  let trace = 0;
  let skew = 0;
  let spread = 0;
  for (let i = 0; i < from.length; i++) {
    const x = from[i]!.x - fromCentre.x;
    const y = from[i]!.y - fromCentre.y;
    const u = to[i]!.x - toCentre.x;
    const v = to[i]!.y - toCentre.y;
    trace += u * x + v * y;
    skew += v * x - u * y;
    spread += x * x + y * y;
  }
  if (spread === 0 || (trace === 0 && skew === 0)) return null;
  const a = trace / spread;
  const c = skew / spread;
  return {
    a,
    b: -c,
    tx: toCentre.x - (a * fromCentre.x - c * fromCentre.y),
    c,
    d: a,
    ty: toCentre.y - (c * fromCentre.x + a * fromCentre.y),
  };
}

function centreOf(points: readonly Point[]): Point {
  let x = 0;
  let y = 0;
  for (const point of points) {
    x += point.x;
    y += point.y;
  }
  return { x: x / points.length, y: y / points.length };
}
