import { describe, expect, test } from '@jest/globals';
import { addToSum, meanOf, removeFromSum } from './identity-mean.ts';

const { imul } = Math;

/** Creates pseudorandom unit vectors, which are the same in each run. */
function unitVectors(count: number, dim: number): Float32Array[] {
  let state = 42;
  const next = () => {
    state = imul(state, 1664525) + 1013904223;
    return (state >>> 8) / 2 ** 24 - 0.4;
  };
  return Array.from({ length: count }, () => {
    const raw = Array.from({ length: dim }, next);
    const length = Math.hypot(...raw);
    return Float32Array.from(raw, (value) => value / length);
  });
}

function sumOf(vectors: readonly Float32Array[], dim: number): Float64Array {
  const sum = new Float64Array(dim);
  for (const vector of vectors) addToSum(sum, vector);
  return sum;
}

describe('meanOf', () => {
  test('is the normalized mean', () => {
    const sum = sumOf([Float32Array.of(1, 0), Float32Array.of(0, 1)], 2);
    const half = Math.fround(Math.sqrt(0.5));
    expect(meanOf(sum, 2)).toEqual(Float32Array.of(half, half));
  });

  test('of one reference is that reference', () => {
    const [vector] = unitVectors(1, 64);
    const mean = meanOf(sumOf([vector!], 64), 1)!;
    for (const [i, value] of vector!.entries()) expect(mean[i]).toBeCloseTo(value, 6);
  });

  test('is null without references, even if removals left rounding errors', () => {
    expect(meanOf(new Float64Array(2), 0)).toBeNull();
    expect(meanOf(Float64Array.of(1e-17, 0), 0)).toBeNull();
  });

  test('is null where references cancel each other out, or nearly', () => {
    expect(meanOf(new Float64Array(2), 2)).toBeNull();
    expect(meanOf(Float64Array.of(1e-9, -1e-9), 2)).toBeNull();
  });
});

describe('the sum', () => {
  const DIM = 32;
  const LEFT = 100;

  test('is that of the references that are left after 10,000 additions and removals', () => {
    const vectors = unitVectors(10_000, DIM);
    const sum = sumOf(vectors, DIM);
    for (const vector of vectors.slice(LEFT)) removeFromSum(sum, vector);
    const left = vectors.slice(0, LEFT);
    const mean = meanOf(sum, LEFT)!;
    const direct = Array.from({ length: DIM }, (_, i) =>
      left.reduce((total, vector) => total + vector[i]!, 0),
    );
    const length = Math.hypot(...direct);
    expect(mean).toEqual(Float32Array.from(direct, (value) => value / length));
    expect(Math.hypot(...mean)).toBeCloseTo(1, 6);
  });

  test('takes no reference of another length', () => {
    expect(() => addToSum(new Float64Array(2), new Float32Array(3))).toThrow(RangeError);
    expect(() => removeFromSum(new Float64Array(2), new Float32Array(1))).toThrow(RangeError);
  });
});
