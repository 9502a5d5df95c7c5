import { expect, test } from '@jest/globals';
import { noise } from '../math/testing/noise.ts';
import { HeadPoseEstimator } from './head-pose-estimator.ts';
import { MEAN_SHAPE_68 } from './mean-shape-68.ts';
import { fakeSession } from './testing/fake-session.ts';

test('computes the pose from the last 68 points of the mesh', async () => {
  const mesh = Float32Array.from({ length: 3309 }, (_, i) => Math.sin(i));
  // Mirroring in x and y rotates the face by 180 degrees in the plane.
  const points = MEAN_SHAPE_68.map((value, i) => (i % 3 === 2 ? value : -value));
  mesh.set(points, 3309 - 204);
  const session = fakeSession({
    input: [null, 3, 24, 24],
    outputs: [[1, 3309]],
    compute: () => [mesh],
  });
  const spec = { mean: [0, 0, 0], std: [1, 1, 1], colorOrder: 'rgb' } as const;
  const box = { x1: 4, y1: 4, x2: 20, y2: 20 };
  const [pose] = await new HeadPoseEstimator(session, spec).estimate(noise(24, 24), [box]);
  expect(pose!.map((angle) => Math.abs(Math.round(angle)))).toEqual([0, 0, 180]);
  expect(session.seen[0]!.dims).toEqual([1, 3, 24, 24]);
});
