import { expect, test } from '@jest/globals';
import {
  equalErrorRate,
  operateAt,
  operateAtFalseMatchRate,
  type PairScores,
  scorePairs,
} from './verification.ts';

const scores = (genuine: number[], impostor: number[]): PairScores => ({
  genuine: Float64Array.from(genuine),
  impostor: Float64Array.from(impostor),
});

/** A unit vector at an angle. */
const at = (degrees: number) => {
  const angle = (degrees / 180) * Math.PI;
  return Float32Array.of(Math.cos(angle), Math.sin(angle));
};

test('each photo is compared with each other one once', () => {
  const { genuine, impostor } = scorePairs([
    { person: 'A', embedding: at(0) },
    { person: 'A', embedding: at(60) },
    { person: 'B', embedding: at(90) },
    { person: 'C', embedding: at(180) },
  ]);
  expect([...genuine]).toEqual([expect.closeTo(0.5)]);
  const expected = [-1, -0.5, 0, 0, Math.cos(Math.PI / 6)];
  expect([...impostor]).toEqual(expected.map((cosine) => expect.closeTo(cosine)));
});

test('a photo without a face matches nothing', () => {
  const { genuine, impostor } = scorePairs([
    { person: 'A', embedding: null },
    { person: 'A', embedding: at(0) },
    { person: 'B', embedding: null },
  ]);
  expect([...genuine]).toEqual([-1]);
  expect([...impostor]).toEqual([-1, -1]);
});

test('a pair at the threshold matches', () => {
  expect(operateAt(scores([0.2, 0.5, 0.5, 0.9], [0.1, 0.2, 0.5, 0.6]), 0.5)).toEqual({
    threshold: 0.5,
    falseMatchRate: 0.5,
    trueMatchRate: 0.75,
  });
});

test('the threshold of a false match rate lets no more impostors through', () => {
  const impostor = Array.from({ length: 1000 }, (_, index) => index / 1000);
  const point = operateAtFalseMatchRate(scores([0.98, 0.9895, 0.99, 1], impostor), 0.01);
  expect(point.threshold).toBeCloseTo(0.989, 9);
  expect(point.threshold).toBeGreaterThan(0.989);
  expect(point).toMatchObject({ falseMatchRate: 0.01, trueMatchRate: 0.75 });
});

test('impostors with the same score stay out together', () => {
  const point = operateAtFalseMatchRate(scores([0.7, 0.8], [0.1, 0.7, 0.7, 0.7]), 0.5);
  expect(point).toMatchObject({ falseMatchRate: 0, trueMatchRate: 0.5 });
});

test('a rate that allows no impostor has a threshold above all of them', () => {
  const point = operateAtFalseMatchRate(scores([0.6, 0.8], [0.1, 0.7]), 0.001);
  expect(point).toMatchObject({ falseMatchRate: 0, trueMatchRate: 0.5 });
});

test('errors are equal where the sides cross', () => {
  expect(equalErrorRate(scores([0.6, 0.7, 0.8], [0.1, 0.2, 0.3]))).toBe(0);
  expect(equalErrorRate(scores([0.3, 0.6, 0.7, 0.8], [0.1, 0.2, 0.25, 0.65]))).toBeCloseTo(0.25, 9);
});
