import { describe, expect, test } from '@jest/globals';
import { boundsOf, type ByteRange, requireRange } from './byte-range.ts';

describe('a range of ten bytes', () => {
  test.each<[ByteRange | undefined, number, number]>([
    [undefined, 0, 10],
    [{ first: 0, last: 0 }, 0, 1],
    [{ first: 2, last: 5 }, 2, 6],
    [{ first: 2 }, 2, 10],
    [{ first: 2, last: 99 }, 2, 10],
    [{ first: 10, last: 20 }, 10, 10],
    [{ first: 99 }, 10, 10],
    [{ lastBytes: 3 }, 7, 10],
    [{ lastBytes: 99 }, 0, 10],
    [{ lastBytes: 0 }, 10, 10],
  ])('for %j begins at %i and ends before %i', (range, start, end) => {
    expect(boundsOf(range, 10)).toEqual({ start, end });
  });
});

test.each([
  { first: -1 },
  { first: 6, last: 5 },
  { first: 0.5 },
  { first: NaN },
  { lastBytes: -1 },
])('%j is no range', (range) => {
  expect(() => requireRange(range)).toThrow(RangeError);
});
