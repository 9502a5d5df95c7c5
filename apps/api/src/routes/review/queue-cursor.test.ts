import { describe, expect, test } from '@jest/globals';
import { QueueCursor, queueCursorOf } from './queue-cursor.ts';

describe('a cursor of the review queue', () => {
  test.each([0, 1, 0.1, 0.30000000000000004, 5e-324, 1.5e-7, 0.9999999999999999])(
    'keeps the confidence %d',
    (confidence) => {
      const position = { value: confidence, id: 7 };
      expect(QueueCursor.parse(queueCursorOf(position))).toEqual(position);
    },
  );

  test.each(['', '0.5', '_7', '0.5_', '0.5_a', '0.5_7_8', '1.5_7', '-0.5_7', '0.5_-7', ' 0.5_7'])(
    'is not %j',
    (text) => {
      expect(QueueCursor.safeParse(text).success).toBe(false);
    },
  );

  test.each(['NaN_7', 'Infinity_7', '0x1_7', '9_7', '0.5_9007199254740993', '2e5_7'])(
    'is not %j either',
    (text) => {
      expect(QueueCursor.safeParse(text).success).toBe(false);
    },
  );
});
