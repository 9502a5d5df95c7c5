import type { HeadPose } from '@sightline/core/analysis/image-analyzer';
import { MEAN_SHAPE_68 } from './mean-shape-68.ts';

type Vector = readonly [number, number, number];

const POINTS = 68;
const DEGREES = 180 / Math.PI;

/**
 * The weight of each mean point in the least-squares solution. The linear part of the best affine
 * map from the mean shape to a face is the sum of (point of the face) x (weight).
 */
const WEIGHTS: readonly Vector[] = leastSquaresWeights(centeredMeanShape());

/**
 * Computes head pose from 68 points like insightface (Python). The function fits the affine map
 * from the mean shape to the points, normalizes the map's first two rows to those of a rotation,
 * and returns the rotation's Euler angles. The points may be in any coordinates that are not
 * rotated, because shift and uniform scale do not change the pose.
 *
 * @param points x, y, z of each point; z is ignored
 * @returns pitch, yaw and roll in degrees; null if the points coincide
 */
export function headPose(points: Float32Array): HeadPose | null {
  const first = unit(linearRow(points, 0));
  const second = unit(linearRow(points, 1));
  if (first === null || second === null) return null;
  return eulerAngles([first, second, cross(first, second)]);
}

function linearRow(points: Float32Array, coordinate: 0 | 1): Vector {
  const row: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < POINTS; i++) {
    const value = points[3 * i + coordinate]!;
    const weight = WEIGHTS[i]!;
    row[0] += value * weight[0];
    row[1] += value * weight[1];
    row[2] += value * weight[2];
  }
  return row;
}

function eulerAngles([[r00], [r10, r11, r12], [r20, r21, r22]]: readonly [
  Vector,
  Vector,
  Vector,
]): HeadPose {
  const cosineOfYaw = Math.hypot(r00, r10);
  const yaw = Math.atan2(-r20, cosineOfYaw) * DEGREES;
  // In profile, pitch and roll turn about the same axis. The whole turn counts as pitch.
  if (cosineOfYaw < 1e-6) return [Math.atan2(-r12, r11) * DEGREES, yaw, 0];
  return [Math.atan2(r21, r22) * DEGREES, yaw, Math.atan2(r10, r00) * DEGREES];
}

function centeredMeanShape(): Vector[] {
  const mean = [0, 1, 2].map((axis) => {
    let sum = 0;
    for (let i = 0; i < POINTS; i++) sum += MEAN_SHAPE_68[3 * i + axis]!;
    return sum / POINTS;
  }) as [number, number, number];
  return Array.from({ length: POINTS }, (_, i) => [
    MEAN_SHAPE_68[3 * i]! - mean[0],
    MEAN_SHAPE_68[3 * i + 1]! - mean[1],
    MEAN_SHAPE_68[3 * i + 2]! - mean[2],
  ]);
}

/**
 * Returns the pseudo-inverse of the centered points: the inverse scatter matrix times each point.
 */
function leastSquaresWeights(points: readonly Vector[]): Vector[] {
  const scatter = [0, 1, 2].map((row) =>
    points.reduce<Vector>(
      (sum, point) => [
        sum[0] + point[row]! * point[0],
        sum[1] + point[row]! * point[1],
        sum[2] + point[row]! * point[2],
      ],
      [0, 0, 0],
    ),
  ) as [Vector, Vector, Vector];
  const inverse = [
    cross(scatter[1], scatter[2]),
    cross(scatter[2], scatter[0]),
    cross(scatter[0], scatter[1]),
  ] as const;
  const determinant = dot(scatter[0], inverse[0]);
  return points.map((point) => [
    dot(inverse[0], point) / determinant,
    dot(inverse[1], point) / determinant,
    dot(inverse[2], point) / determinant,
  ]);
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function unit(vector: Vector): Vector | null {
  const length = Math.sqrt(dot(vector, vector));
  return length === 0 ? null : [vector[0] / length, vector[1] / length, vector[2] / length];
}
