import { expect, test } from '@jest/globals';
import { flag } from './flag.ts';

test.each([
  [true, true],
  [false, false],
  ['true', true],
  ['True', true],
  ['1', true],
  ['false', false],
  ['0', false],
])('a flag accepts %j', (given, expected) => {
  expect(flag.parse(given)).toBe(expected);
});

test.each(['', 'yes', 1, 0, null, ['true']])('a flag refuses %j', (given) => {
  expect(flag.safeParse(given).success).toBe(false);
});

test('the refusal of text says what is expected', () => {
  expect(flag.safeParse('yes').error?.issues).toEqual([
    expect.objectContaining({ message: 'Expected true or false' }),
  ]);
});
