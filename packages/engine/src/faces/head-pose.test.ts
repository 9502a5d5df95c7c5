import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { headPose } from './head-pose.ts';
import { MEAN_SHAPE_68 } from './mean-shape-68.ts';

const RADIANS = Math.PI / 180;

interface Placement {
  readonly scale?: number;
  readonly shift?: number;
}

/** Rotates the mean shape about x, then y, then z, and scales and shifts the result. */
function turned(
  [pitch, yaw, roll]: readonly [number, number, number],
  { scale = 1, shift = 0 }: Placement = {},
): Float32Array {
  const points = new Float32Array(MEAN_SHAPE_68.length);
  for (let i = 0; i < points.length; i += 3) {
    const [x0, y0, z0] = MEAN_SHAPE_68.slice(i, i + 3) as [number, number, number];
    const [y1, z1] = turn(y0, z0, pitch);
    const [z2, x1] = turn(z1, x0, yaw);
    const [x2, y2] = turn(x1, y1, roll);
    points.set([x2 * scale + shift, y2 * scale - shift, z2 * scale], i);
  }
  return points;
}

function turn(u: number, v: number, degrees: number): [number, number] {
  const [cosine, sine] = [Math.cos(degrees * RADIANS), Math.sin(degrees * RADIANS)];
  return [cosine * u - sine * v, sine * u + cosine * v];
}

describe('headPose', () => {
  test('is zero for the mean shape itself', () => {
    const pose = headPose(Float32Array.from(MEAN_SHAPE_68));
    for (const angle of pose!) expect(angle).toBeCloseTo(0, 4);
  });

  test('recovers pitch, yaw and roll, wherever and however large the face is', () => {
    const angle = (limit: number) => fc.double({ min: -limit, max: limit, noNaN: true });
    fc.assert(
      fc.property(
        fc.tuple(angle(170), angle(80), angle(170)),
        fc.double({ min: 0.2, max: 100, noNaN: true }),
        fc.double({ min: -50, max: 50, noNaN: true }),
        (angles, scale, shift) => {
          const pose = headPose(turned(angles, { scale, shift: shift * scale }))!;
          for (const axis of [0, 1, 2] as const) {
            expect(pose[axis]).toBeCloseTo(angles[axis], 1);
          }
        },
      ),
    );
  });

  test('in exact profile, all rotation in the plane is pitch', () => {
    const [pitch, yaw, roll] = headPose(turned([20, 90, 0]))!;
    expect(yaw).toBeCloseTo(90, 1);
    expect(pitch - roll).toBeCloseTo(20, 1);
  });

  test('is null if all points coincide', () => {
    expect(headPose(new Float32Array(204))).toBeNull();
  });
});
