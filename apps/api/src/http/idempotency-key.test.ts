import { expect, test } from '@jest/globals';
import { idempotencyKey } from './idempotency-key.ts';

test.each(['a', '!~', 'x'.repeat(255), '8e03978e-40d5-43dd-bc93-6894a57f9324'])(
  '%j is an idempotency key',
  (key) => {
    expect(idempotencyKey({ 'idempotency-key': key })).toBe(key);
  },
);

test('a request may come without one', () => {
  expect(idempotencyKey({})).toBeUndefined();
});

test.each(['', ' ', 'a b', 'ä', 'x'.repeat(256), 'a\t'])('%j is none', (key) => {
  expect(() => idempotencyKey({ 'idempotency-key': key })).toThrow(
    expect.objectContaining({ code: 'invalid_request' }),
  );
});
