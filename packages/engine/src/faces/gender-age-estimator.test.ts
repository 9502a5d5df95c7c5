import { expect, test } from '@jest/globals';
import { noise } from '../math/testing/noise.ts';
import { GenderAgeEstimator } from './gender-age-estimator.ts';
import { fakeSession } from './testing/fake-session.ts';

const IMAGE = noise(12, 12);
const PREPROCESS = { mean: [1, 2, 3], std: [2, 2, 2], colorOrder: 'rgb' } as const;

/** Normalized value of the image's first pixel, which is also the first pixel of the crop. */
function firstPixel(): number[] {
  const [red, green, blue] = IMAGE.data;
  return [(red! - 1) / 2, (green! - 2) / 2, (blue! - 3) / 2];
}

test('crops a face for genderage with its margin, in its color order and scale', async () => {
  const session = fakeSession({
    input: [null, 3, 12, 12],
    outputs: [[1, 3]],
    compute: () => [Float32Array.of(0, 1, 0.41)],
  });
  const spec = { architecture: 'genderage', preprocess: PREPROCESS } as const;
  // A box of 8x8 in the middle: with its margin it is the whole image.
  const box = { x1: 2, y1: 2, x2: 10, y2: 10 };
  const estimate = await new GenderAgeEstimator(session, spec).estimate(IMAGE, box);
  expect(estimate).toEqual({ gender: 'M', age: 41 });
  const { data, dims } = session.seen[0]!;
  expect(dims).toEqual([1, 3, 12, 12]);
  expect([data[0], data[144], data[288]]).toEqual(firstPixel());
});

test('crops a face for faceres with a smaller margin and reads both outputs', async () => {
  const session = fakeSession({
    input: [null, 3, 12, 12],
    outputs: [
      [1, 1],
      [1, 100],
    ],
    compute: () => [Float32Array.of(0.25), new Float32Array(100).fill(1, 30, 31)],
  });
  const spec = { architecture: 'faceres', preprocess: PREPROCESS } as const;
  // A box of 10x6 in the middle: the square around it with its margin is the whole image.
  const box = { x1: 1, y1: 3, x2: 11, y2: 9 };
  const estimate = await new GenderAgeEstimator(session, spec).estimate(IMAGE, box);
  expect(estimate).toEqual({ gender: 'F', age: 30 });
  const { data, dims } = session.seen[0]!;
  expect(dims).toEqual([1, 3, 12, 12]);
  expect([data[0], data[144], data[288]]).toEqual(firstPixel());
});
