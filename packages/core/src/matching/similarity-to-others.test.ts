import { describe, expect, test } from '@jest/globals';
import { addToSum } from './identity-mean.ts';
import { similarityToOthers } from './similarity-to-others.ts';

const { cos, sin, sqrt, PI } = Math;

function at(degrees: number): Float32Array {
  return Float32Array.of(cos((degrees * PI) / 180), sin((degrees * PI) / 180));
}

function referencesAt(...angles: readonly number[]) {
  const sum = new Float64Array(2);
  for (const angle of angles) addToSum(sum, at(angle));
  return { sum, count: angles.length };
}

describe('the similarity of a face to the other references of its identity', () => {
  test('of a face that is no reference counts all of them', () => {
    const face = { vector: at(90), isReference: false, references: referencesAt(0, 60) };
    expect(similarityToOthers(face, null)).toBeCloseTo(0.5, 6);
  });

  test('of a reference leaves it out', () => {
    const face = { vector: at(90), isReference: true, references: referencesAt(0, 60, 90) };
    expect(similarityToOthers(face, null)).toBeCloseTo(0.5, 6);
    const alike = { vector: at(45), isReference: true, references: referencesAt(45, 45) };
    expect(similarityToOthers(alike, null)).toBeCloseTo(1, 6);
  });

  test('leaves the sum as it is', () => {
    const references = referencesAt(0, 90);
    const before = [...references.sum];
    similarityToOthers({ vector: at(0), isReference: true, references }, null);
    expect([...references.sum]).toEqual(before);
  });

  test('is the cosine to the normalized mean, however long the sum is', () => {
    const face = { vector: at(0), isReference: false, references: referencesAt(0, 90, 0, 90) };
    expect(similarityToOthers(face, null)).toBeCloseTo(1 / sqrt(2), 6);
  });

  test('is calibrated', () => {
    const face = { vector: at(60), isReference: false, references: referencesAt(0) };
    const knots = [
      [0, 0.2],
      [1, 0.8],
    ] as const;
    expect(similarityToOthers(face, knots)).toBeCloseTo(0.5, 6);
  });

  test('does not exist without other references', () => {
    const alone = { vector: at(0), isReference: true, references: referencesAt(0) };
    expect(similarityToOthers(alone, null)).toBeNull();
    const none = { vector: at(0), isReference: false, references: referencesAt() };
    expect(similarityToOthers(none, null)).toBeNull();
  });

  test('does not exist if they cancel each other out', () => {
    const face = { vector: at(0), isReference: true, references: referencesAt(0, 90, 270) };
    expect(similarityToOthers(face, null)).toBeNull();
  });

  test('refuses vectors of another model', () => {
    const face = { vector: new Float32Array(3), isReference: true, references: referencesAt(0, 1) };
    expect(() => similarityToOthers(face, null)).toThrow(RangeError);
  });
});
