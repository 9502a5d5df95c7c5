import { describe, expect, test } from '@jest/globals';
import { acceptanceAmong, fitImpostorTail } from './impostor-tail.ts';
import type { Sample } from './verification.ts';

/**
 * Samples of one photo per person. The first sample has these cosines with the others, and each of
 * the others has one dimension of its own.
 */
function around(cosines: readonly number[]): Sample[] {
  const first = new Float32Array(cosines.length + 1);
  first[0] = 1;
  const others = cosines.map((cosine, i) => {
    const embedding = new Float32Array(cosines.length + 1);
    embedding[0] = cosine;
    embedding[i + 1] = Math.sqrt(1 - cosine ** 2);
    return { person: `p${i}`, embedding };
  });
  return [{ person: 'first', embedding: first }, ...others];
}

describe('fitImpostorTail', () => {
  test('begins where a hundredth of the pairs are above, and falls with their mean excess', () => {
    // The cosine of two other samples is the product of their cosines with the first one, so the
    // highest hundredth are pairs with the first sample.
    const cosines = Array.from({ length: 40 }, (_, i) => (i < 8 ? 0.5 + i / 100 : 0.05));
    const samples = around(cosines);
    const pairs = (41 * 40) / 2;
    const tail = fitImpostorTail(samples);
    expect(tail.share).toBeCloseTo(8 / pairs, 10);
    expect(tail.from).toBeCloseTo(0.57 * 0.56, 5);
    expect(1 / tail.slope).toBeCloseTo(0.535 - 0.57 * 0.56, 5);
  });

  test('counts a pair of people once, however many photos they have', () => {
    const samples = around(Array.from({ length: 40 }, (_, i) => i / 100));
    const twice = samples.flatMap((sample) => [sample, sample]);
    const tail = fitImpostorTail(samples);
    const again = fitImpostorTail(twice);
    expect(again.slope).toBeCloseTo(tail.slope, 5);
    expect(again.from).toBeCloseTo(tail.from, 5);
  });
});

describe('acceptanceAmong', () => {
  const tail = { from: 0.3, share: 0.01, slope: 30 };

  test('is the rate of a pair for one person, and grows nearly as the number of people', () => {
    const rate = 0.01 * Math.exp(-30 * 0.2);
    expect(acceptanceAmong(1, tail, 0.5)).toBeCloseTo(rate, 12);
    expect(acceptanceAmong(100, tail, 0.5)).toBeCloseTo(1 - (1 - rate) ** 100, 12);
    expect(acceptanceAmong(1e9, tail, 0.5)).toBe(1);
  });

  test('falls with the threshold', () => {
    const accepted = [0.3, 0.4, 0.5, 0.6].map((cosine) => acceptanceAmong(1000, tail, cosine));
    expect(accepted).toEqual(accepted.toSorted((a, b) => b - a));
  });
});
