import { describe, expect, test } from '@jest/globals';
import { cosineSimilarity } from './cosine-similarity.ts';

describe('cosineSimilarity', () => {
  test('is 1, 0 and -1 for the same, a perpendicular and the opposite direction', () => {
    const east = Float32Array.of(1, 0);
    expect(cosineSimilarity(east, east)).toBe(1);
    expect(cosineSimilarity(east, Float32Array.of(0, 1))).toBe(0);
    expect(cosineSimilarity(east, Float32Array.of(-1, 0))).toBe(-1);
  });

  test('stays within -1 and 1 despite rounding', () => {
    const third = Math.fround(Math.sqrt(1 / 3) + 1e-7);
    const vector = Float32Array.of(third, third, third);
    expect(cosineSimilarity(vector, vector)).toBe(1);
  });

  test('refuses embeddings of different models', () => {
    expect(() => cosineSimilarity(new Float32Array(512), new Float32Array(128))).toThrow(
      'Embeddings of 512 and 128 values cannot be compared.',
    );
  });
});
