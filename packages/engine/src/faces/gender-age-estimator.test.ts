import { expect, test } from '@jest/globals';
import { noise } from '../math/testing/noise.ts';
import { squareAround } from './crop-around-box.ts';
import { GenderAgeEstimator } from './gender-age-estimator.ts';
import { fakeSession } from './testing/fake-session.ts';

const IMAGE = noise(12, 12);
const PREPROCESS = { mean: [1, 2, 3], std: [2, 2, 2], colorOrder: 'rgb' } as const;

/**
 * Returns the normalized value of the image's first pixel, which is also the first pixel of the
 * crop.
 */
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
  // The box of 8x8 pixels is in the middle, and the crop with its margin is the whole image.
  const box = { x1: 2, y1: 2, x2: 10, y2: 10 };
  const [estimate] = await new GenderAgeEstimator(session, spec).estimate(IMAGE, [
    squareAround(box, 1),
  ]);
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
  // The box of 10x6 pixels is in the middle, and the square crop with its margin is the whole
  // image.
  const box = { x1: 1, y1: 3, x2: 11, y2: 9 };
  const [estimate] = await new GenderAgeEstimator(session, spec).estimate(IMAGE, [
    squareAround(box, 1),
  ]);
  expect(estimate).toEqual({ gender: 'F', age: 30 });
  const { data, dims } = session.seen[0]!;
  expect(dims).toEqual([1, 3, 12, 12]);
  expect([data[0], data[144], data[288]]).toEqual(firstPixel());
});

test('turns the crop of a turned face', async () => {
  const session = fakeSession({
    input: [null, 3, 12, 12],
    outputs: [[1, 3]],
    compute: () => [Float32Array.of(0, 1, 0.41)],
  });
  const spec = { architecture: 'genderage', preprocess: PREPROCESS } as const;
  const square = { x: 6, y: 6, side: 8, roll: 180 };
  const estimator = new GenderAgeEstimator(session, spec);
  await estimator.estimate(IMAGE, [square, { ...square, roll: 0 }]);
  const [turned, upright] = session.seen.map(({ data }) => data);
  // The crop with its margin is the whole image. Row and column 0 of the turned crop are outside the image.
  for (let row = 1; row < 12; row++) {
    for (let column = 1; column < 12; column++) {
      const opposite = upright![12 * (12 - row) + 12 - column]!;
      expect(turned![12 * row + column]).toBeCloseTo(opposite, 1);
    }
  }
});

test('estimates a crowd in batches, in the order of the squares', async () => {
  const session = fakeSession({
    input: [null, 3, 224, 224],
    outputs: [
      [null, 1],
      [null, 100],
    ],
    // The age of a face is the value in the middle of its image.
    compute: ({ data, dims: [rows] }) => {
      const years = new Float32Array(100 * rows!);
      for (let row = 0; row < rows!; row++) {
        years[row * 100 + data[(row * 3 * 224 + 112) * 224 + 112]!] = 1;
      }
      return [new Float32Array(rows!).fill(0.75), years];
    },
  });
  const preprocess = { mean: [0, 0, 0], std: [1, 1, 1], colorOrder: 'rgb' } as const;
  const image = { data: new Uint8Array(3 * 60 * 10), width: 60, height: 10 };
  image.data.forEach((_, at) => (image.data[at] = 2 * Math.floor((Math.floor(at / 3) % 60) / 10)));
  const squares = Array.from({ length: 6 }, (_, i) => ({ x: 10 * i + 4, y: 4, side: 8, roll: 0 }));
  const estimator = new GenderAgeEstimator(session, { architecture: 'faceres', preprocess });
  const found = await estimator.estimate(image, squares);
  expect(session.seen.map(({ dims }) => dims[0])).toEqual([4, 2]);
  expect(found).toEqual([0, 2, 4, 6, 8, 10].map((age) => ({ gender: 'M', age })));
});
