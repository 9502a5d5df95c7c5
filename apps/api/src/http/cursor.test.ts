import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { decodeCursor, encodeCursor } from './cursor.ts';

const Position = z.tuple([z.string(), z.int()]);

describe('a cursor', () => {
  test.each([[['Ännchen "A" / +', 7]], [['', 0]], [['𝕊', Number.MAX_SAFE_INTEGER]]])(
    'stands for %j and fits into a query as it is',
    (position) => {
      const cursor = encodeCursor(position);
      expect(encodeURIComponent(cursor)).toBe(cursor);
      expect(decodeCursor(Position, cursor)).toEqual(position);
    },
  );

  test('is optional', () => {
    expect(decodeCursor(Position, undefined)).toBeNull();
  });

  test.each(['', '!', 'bm9uc2Vuc2U', encodeCursor(['a']), encodeCursor([1, 'a'])])(
    'is not %j',
    (text) => {
      expect(() => decodeCursor(Position, text)).toThrow(
        expect.objectContaining({ code: 'invalid_request', errors: [expect.anything()] }),
      );
    },
  );
});
