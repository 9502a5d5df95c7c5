import { describe, expect, test } from '@jest/globals';
import { TimeCursor, timeCursorOf } from './time-cursor.ts';

describe('a cursor of a list by time', () => {
  test('keeps milliseconds and id', () => {
    const position = { detectedAt: new Date('2026-11-20T10:00:00.007Z'), id: 12 };
    expect(timeCursorOf(position)).toBe('2026-11-20T10:00:00.007Z_12');
    expect(TimeCursor.parse('2026-11-20T10:00:00.007Z_12')).toEqual(position);
  });

  test.each([
    '',
    '2026-11-20T10:00:00.007Z',
    '2026-11-20T10:00:00.007Z_',
    '2026-11-20T10:00:00.007Z_a',
    '2026-11-20T10:00:00.007Z_1_2',
    '2026-11-20T10:00:00.007Z_1.5',
    '2026-11-20T10:00:00.007Z_9007199254740993',
    '2026-02-30T10:00:00.007Z_1',
    '0000-12-31T23:59:59.999Z_1',
    '2026-11-20T10:00:00Z_1',
    '2026-11-20T10:00:00.007+01:00_1',
    '0.5_12',
  ])('is not %j', (text) => {
    expect(TimeCursor.safeParse(text).success).toBe(false);
  });
});
