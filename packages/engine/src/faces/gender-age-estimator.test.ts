import { describe, expect, test } from '@jest/globals';
import { noise } from '../math/testing/noise.ts';
import { GenderAgeEstimator, readGenderAge } from './gender-age-estimator.ts';
import { fakeSession } from './testing/fake-session.ts';

describe('readGenderAge', () => {
  test('takes the larger of the scores, and female when they are equal', () => {
    expect(readGenderAge(Float32Array.of(1, 2, 0)).gender).toBe('M');
    expect(readGenderAge(Float32Array.of(2, 1, 0)).gender).toBe('F');
    expect(readGenderAge(Float32Array.of(1, 1, 0)).gender).toBe('F');
  });

  test('rounds the age to years, halves to the even one', () => {
    const age = (centuries: number) => readGenderAge(Float32Array.of(0, 0, centuries)).age;
    expect([0.344, 0.346, 0.125, 0.375].map(age)).toEqual([34, 35, 12, 38]);
  });
});

test('the estimator shows the net the face with some margin, in its colours and scale', async () => {
  const session = fakeSession({
    input: [null, 3, 12, 12],
    outputs: [[1, 3]],
    compute: () => [Float32Array.of(0, 1, 0.41)],
  });
  const spec = { mean: [1, 2, 3], std: [2, 2, 2], colourOrder: 'rgb' } as const;
  const picture = noise(12, 12);
  // A box of 8x8 in the middle: with its margin it is the whole picture.
  const box = { x1: 2, y1: 2, x2: 10, y2: 10 };
  const estimate = await new GenderAgeEstimator(session, spec).estimate(picture, box);
  expect(estimate).toEqual({ gender: 'M', age: 41 });
  const { data, dims } = session.seen[0]!;
  expect(dims).toEqual([1, 3, 12, 12]);
  const [red, green, blue] = picture.data;
  expect([data[0], data[144], data[288]]).toEqual([
    (red! - 1) / 2,
    (green! - 2) / 2,
    (blue! - 3) / 2,
  ]);
});
