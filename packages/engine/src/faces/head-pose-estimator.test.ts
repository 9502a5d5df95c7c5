import { expect, test } from '@jest/globals';
import { noise } from '../math/testing/noise.ts';
import { cropSquare } from './crop-around-box.ts';
import { HeadPoseEstimator } from './head-pose-estimator.ts';
import { MEAN_SHAPE_68 } from './mean-shape-68.ts';
import { fakeSession } from './testing/fake-session.ts';

const SPEC = { mean: [0, 0, 0], std: [1, 1, 1], colorOrder: 'rgb' } as const;

/** A network with a mesh whose last 68 points are those of the mean face, turned by 180 degrees. */
function turnedFaceSession() {
  const mesh = Float32Array.from({ length: 3309 }, (_, i) => Math.sin(i));
  // Mirroring in x and y rotates the face by 180 degrees in the plane.
  const points = MEAN_SHAPE_68.map((value, i) => (i % 3 === 2 ? value : -value));
  mesh.set(points, 3309 - 204);
  return fakeSession({
    input: [null, 3, 24, 24],
    outputs: [[1, 3309]],
    compute: () => [mesh],
  });
}

test('computes the pose from the last 68 points of the mesh', async () => {
  const session = turnedFaceSession();
  const square = { x: 12, y: 12, side: 16, roll: 0 };
  const [pose] = await new HeadPoseEstimator(session, SPEC).estimate(noise(24, 24), [square]);
  expect(pose!.map((angle) => Math.abs(Math.round(angle)))).toEqual([0, 0, 180]);
  expect(session.seen[0]!.dims).toEqual([1, 3, 24, 24]);
});

test.each([
  [90, -90],
  [-90, 90],
  [180, 0],
])(
  'sees a face turned by %d upright, and returns its roll in the image',
  async (roll, expected) => {
    const session = turnedFaceSession();
    const image = noise(24, 24);
    const square = { x: 12, y: 12, side: 16, roll };
    const [pose] = await new HeadPoseEstimator(session, SPEC).estimate(image, [square]);
    expect(pose!.map((angle) => Math.round(angle) + 0)).toEqual([0, 0, expected]);
    const crop = cropSquare(image, { ...square, side: 24 }, 24);
    expect(session.seen[0]!.data.slice(0, 24)).toEqual(
      Float32Array.from({ length: 24 }, (_, x) => crop[3 * x]!),
    );
  },
);
