import { describe, expect, test } from '@jest/globals';
import { expectedAge, FACERES } from './faceres-architecture.ts';

function bins(probabilities: Readonly<Record<number, number>>): Float32Array {
  return Float32Array.from({ length: 100 }, (_, year) => probabilities[year] ?? 0);
}

describe('expectedAge', () => {
  test('is the middle of the year if there is only one', () => {
    expect(expectedAge(bins({ 40: 1 }))).toBe(40.5);
    expect(expectedAge(bins({ 0: 1 }))).toBe(0.5);
  });

  test('weights the two likeliest years, wherever they are', () => {
    expect(expectedAge(bins({ 30: 0.375, 31: 0.125 }))).toBe(30.75);
    expect(expectedAge(bins({ 20: 0.25, 60: 0.25, 40: 0.125 }))).toBe(40.5);
  });
});

describe('FACERES', () => {
  const output = (data: Float32Array) => ({ data, dims: [1, data.length] });

  test.each([
    [0.75, 'M'],
    [0.5, 'F'],
    [0.25, 'F'],
  ])('with a male probability of %p the gender is %s', (male, gender) => {
    const outputs = [output(Float32Array.of(male)), output(bins({ 30: 0.375, 31: 0.125 }))];
    expect(FACERES.read(outputs)).toEqual({ gender, age: 31 });
    expect(FACERES.read(outputs.toReversed())).toEqual({ gender, age: 31 });
  });

  test('refuses a network without one of the heads', () => {
    for (const head of [Float32Array.of(0.5), bins({})]) {
      expect(() => FACERES.read([output(head)])).toThrow(
        new RangeError('A faceres network has outputs of 1 and 100 values.'),
      );
    }
  });
});
