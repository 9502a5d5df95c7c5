import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { numeric } from './numeric.ts';

const threshold = numeric(z.number().min(-1).max(1));

describe('numeric', () => {
  test.each([
    [0.5, 0.5],
    ['0.5', 0.5],
    [' -1 ', -1],
    ['1e-3', 0.001],
  ])('takes %j', (given, expected) => {
    expect(threshold.parse(given)).toBe(expected);
  });

  test.each(['', ' ', 'half', '1.5', 'NaN', 'Infinity', 2, Number.NaN, null, true, []])(
    'refuses %j',
    (given) => {
      expect(threshold.safeParse(given).success).toBe(false);
    },
  );
});
