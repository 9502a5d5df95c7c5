import { describe, expect, test } from '@jest/globals';
import { GENDERAGE } from './genderage-architecture.ts';

/** Decodes an output with the scores of female and male, and an age in centuries. */
function read(...values: number[]) {
  return GENDERAGE.read([{ data: Float32Array.from(values), dims: [1, 3] }]);
}

describe('GENDERAGE', () => {
  test('takes the higher score, and female if they are equal', () => {
    expect(read(1, 2, 0).gender).toBe('M');
    expect(read(2, 1, 0).gender).toBe('F');
    expect(read(1, 1, 0).gender).toBe('F');
  });

  test('rounds the age to years, halves to the even one', () => {
    expect([0.344, 0.346, 0.125, 0.375].map((age) => read(0, 0, age).age)).toEqual([
      34, 35, 12, 38,
    ]);
  });

  test('refuses other outputs', () => {
    expect(() => read(1, 2)).toThrow(RangeError);
    expect(() => GENDERAGE.read([])).toThrow(RangeError);
  });
});
