import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { CalibrationKnots } from '../models/model.ts';
import { calibrateSimilarity, leastCosine } from './calibrate-similarity.ts';

const KNOTS: CalibrationKnots = [
  [-1, 0],
  [0.3, 0.4],
  [0.6, 0.9],
  [1, 1],
];

describe('calibrateSimilarity', () => {
  test('leaves the cosine of a model without calibration as it is', () => {
    expect(calibrateSimilarity(0.37, null)).toBe(0.37);
    expect(calibrateSimilarity(0.37, [])).toBe(0.37);
  });

  test('meets every knot and is linear between two', () => {
    for (const [cosine, similarity] of KNOTS) {
      expect(calibrateSimilarity(cosine, KNOTS)).toBe(similarity);
    }
    expect(calibrateSimilarity(0.45, KNOTS)).toBeCloseTo(0.65);
  });

  test('is constant beyond the knots', () => {
    const narrow: CalibrationKnots = [
      [0, 0.1],
      [0.5, 0.8],
    ];
    expect(calibrateSimilarity(-0.4, narrow)).toBe(0.1);
    expect(calibrateSimilarity(0.9, narrow)).toBe(0.8);
  });

  test('never reverses an order', () => {
    const cosine = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(cosine, cosine, (a, b) => {
        const [low, high] = a < b ? [a, b] : [b, a];
        return calibrateSimilarity(low, KNOTS) <= calibrateSimilarity(high, KNOTS) + 1e-12;
      }),
    );
  });
});

describe('leastCosine', () => {
  test('is the similarity without a calibration', () => {
    expect(leastCosine(0.3, null)).toBe(0.3);
    expect(leastCosine(-0.2, [])).toBe(-0.2);
  });

  test('is the least cosine whose similarity is high enough', () => {
    fc.assert(
      fc.property(fc.double({ min: -1, max: 1, noNaN: true }), (similarity) => {
        const cosine = leastCosine(similarity, KNOTS);
        expect(calibrateSimilarity(cosine, KNOTS)).toBeGreaterThanOrEqual(similarity - 1e-9);
        if (cosine > -1) {
          expect(calibrateSimilarity(cosine - 1e-6, KNOTS)).toBeLessThan(similarity);
        }
      }),
    );
  });

  test('is infinite for a similarity that no cosine reaches', () => {
    const knots: CalibrationKnots = [
      [-1, 0],
      [1, 0.8],
    ];
    expect(leastCosine(0.9, knots)).toBe(Infinity);
  });
});
