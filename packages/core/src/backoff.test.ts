import { expect, test } from '@jest/globals';
import { Backoff, backoffMs } from './backoff.ts';

const LIMITS = { firstMs: 500, longestMs: 10_000 };

test('pauses double up to the longest', () => {
  const pauses = [0, 1, 2, 3, 4, 5, 6, 7].map((failures) => backoffMs(failures, LIMITS, 0.5));
  expect(pauses).toEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  expect(backoffMs(5_000, LIMITS, 0.5)).toBe(10_000);
});

test('a pause is up to a fifth shorter or longer, or as much as the limits say', () => {
  expect([0, 1].map((random) => backoffMs(1, LIMITS, random))).toEqual([400, 600]);
  expect(backoffMs(9, LIMITS, 1)).toBe(12_000);
  expect(backoffMs(2, { ...LIMITS, jitter: 0 }, 1)).toBe(1_000);
});

test('after a success the first pause comes again', () => {
  const backoff = new Backoff({ ...LIMITS, jitter: 0 });
  expect([backoff.next(), backoff.next()]).toEqual([500, 1_000]);
  backoff.reset();
  expect(backoff.next()).toBe(500);
});
