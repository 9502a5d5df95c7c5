import type { Point } from '@sightline/core/analysis/geometry';
import type { Affine } from './affine.ts';

/**
 * Returns the rotation, uniform scale and shift that maps points closest to other points in the
 * least-squares sense (Umeyama, "Least-squares estimation of transformation parameters between two
 * point patterns", 1991). The map is never a reflection: mirrored points get the best proper
 * rotation.
 *
 * In the plane, the singular value decomposition of the paper has a closed form. The rotation that
 * maximizes the correlation has the angle of the vector (trace, skew) of the cross-covariance, and
 * its corrected singular values add up to the length of that vector.
 *
 * @param from at least two points
 * @param to the same number of points
 * @returns null if no map is determined: all points coincide, or all angles are equally good
 */
export function similarityTransform(from: readonly Point[], to: readonly Point[]): Affine | null {
  const fromCenter = centerOf(from);
  const toCenter = centerOf(to);
  let trace = 0;
  let skew = 0;
  let spread = 0;
  for (let i = 0; i < from.length; i++) {
    const x = from[i]!.x - fromCenter.x;
    const y = from[i]!.y - fromCenter.y;
    const u = to[i]!.x - toCenter.x;
    const v = to[i]!.y - toCenter.y;
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
    tx: toCenter.x - (a * fromCenter.x - c * fromCenter.y),
    c,
    d: a,
    ty: toCenter.y - (c * fromCenter.x + a * fromCenter.y),
  };
}

function centerOf(points: readonly Point[]): Point {
  let x = 0;
  let y = 0;
  for (const point of points) {
    x += point.x;
    y += point.y;
  }
  return { x: x / points.length, y: y / points.length };
}
