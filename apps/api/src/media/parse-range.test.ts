import { expect, test } from '@jest/globals';
import { parseRange } from './parse-range.ts';

test.each([
  ['bytes=0-0', { first: 0, last: 0 }],
  ['bytes=2-5', { first: 2, last: 5 }],
  ['BYTES=2-', { first: 2 }],
  ['bytes=-3', { lastBytes: 3 }],
  ['bytes=-0', { lastBytes: 0 }],
])('%s is %j', (header, range) => {
  expect(parseRange(header)).toEqual(range);
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
  expect(parseRange(header)).toBeUndefined();
});
