import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { integer, numeric } from './numeric.ts';

const threshold = numeric(z.number().min(-1).max(1));

describe('numeric', () => {
  test.each([
    [0.5, 0.5],
    ['0.5', 0.5],
    ['-1', -1],
    ['0.001', 0.001],
    ['-0.50', -0.5],
    ['.5', 0.5],
    ['-.5', -0.5],
    ['1e-1', 0.1],
    ['2.5E-1', 0.25],
    ['.01e+2', 1],
  ])('takes %j', (given, expected) => {
    expect(threshold.parse(given)).toBe(expected);
  });

  test.each(['', ' ', 'half', '1.5', 'NaN', 'Infinity', 2, Number.NaN, null, true, []])(
    'refuses %j',
    (given) => {
      expect(threshold.safeParse(given).success).toBe(false);
    },
  );

  test.each([
    '0x1',
    '0b1',
    'e-3',
    '1e',
    '1e0.5',
    '.',
    '+0.5',
    ' 0.5',
    '0.5\n',
    '1.',
    '00.5',
    '1e-999x',
    '１',
  ])('refuses %j, which Number or a lax parser would accept', (given) => {
    expect(threshold.safeParse(given).success).toBe(false);
  });
});

test('the refusal of text says what is expected', () => {
  const issuesOf = (schema: z.ZodType, given: unknown) => schema.safeParse(given).error?.issues;
  expect(issuesOf(threshold, '0,5')).toEqual([
    expect.objectContaining({ message: 'Expected a number, such as 0.5' }),
  ]);
  expect(issuesOf(integer(), '1e3')).toEqual([
    expect.objectContaining({ message: 'Expected a whole number, such as 50' }),
  ]);
});

describe('integer', () => {
  test.each([
    [7, 7],
    ['7', 7],
    ['-3', -3],
    ['0', 0],
  ])('takes %j', (given, expected) => {
    expect(integer().parse(given)).toBe(expected);
  });

  test.each([
    '',
    ' 7',
    '+7',
    '007',
    '7.0',
    '1e3',
    '0x10',
    'seven',
    '9007199254740993',
    1.5,
    null,
    true,
    [7],
  ])('refuses %j', (given) => {
    expect(integer().safeParse(given).success).toBe(false);
  });
});
