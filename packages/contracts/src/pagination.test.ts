import { describe, expect, test } from '@jest/globals';
import { limit } from './pagination.ts';
import { idList, repeatedId } from './record-id.ts';

describe('a limit', () => {
  test.each([
    [1, 1],
    ['200', 200],
    ['0', 1],
    ['-5', 1],
    ['100000', 200],
  ])('of %j is %i', (given, expected) => {
    expect(limit.parse(given)).toBe(expected);
  });

  test.each(['', 'all', '1.5'])('of %j is refused', (given) => {
    expect(limit.safeParse(given).success).toBe(false);
  });
});

describe('ids', () => {
  test('are deduplicated', () => {
    expect(idList.parse([3, 1, 3])).toEqual([3, 1]);
  });

  test('are at most 1,000', () => {
    const ids = Array.from({ length: 1001 }, (_, i) => i);
    expect(idList.safeParse(ids.slice(1)).success).toBe(true);
    expect(idList.safeParse(ids).success).toBe(false);
    expect(idList.safeParse(['1']).success).toBe(false);
  });

  test('in a query may be one or several', () => {
    expect(repeatedId.parse('7')).toEqual([7]);
    expect(repeatedId.parse(['7', '8'])).toEqual([7, 8]);
    expect(repeatedId.safeParse(['7', 'x']).success).toBe(false);
  });
});
