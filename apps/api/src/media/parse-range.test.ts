import { expect, test } from '@jest/globals';
import { parseRange } from './parse-range.ts';

test.each([
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=2-5', { first: 2, last: 5 }],
  ['BYTES=2-', { first: 2, last: 9 }],
  ['bytes=2-99', { first: 2, last: 9 }],
  ['bytes=-3', { first: 7, last: 9 }],
  ['bytes=-99', { first: 0, last: 9 }],
])('of ten bytes %s is %j', (header, range) => {
  expect(parseRange(header, 10)).toEqual(range);
});

test.each([
  undefined,
  '',
  'bytes',
  'bytes=-',
  'bytes=a-b',
  'bytes=5-2',
  'bytes=0-1,4-5',
  'items=0-1',
])('%j is the whole file', (header) => {
  expect(parseRange(header, 10)).toBeNull();
});

test.each(['bytes=10-', 'bytes=10-20', 'bytes=-0'])('nothing of ten bytes lies in %s', (header) => {
  expect(parseRange(header, 10)).toBe('unsatisfiable');
});

test('an empty file has no ranges', () => {
  expect(parseRange('bytes=0-', 0)).toBe('unsatisfiable');
  expect(parseRange('bytes=-5', 0)).toBe('unsatisfiable');
});
