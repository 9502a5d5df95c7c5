import { expect, test } from '@jest/globals';
import { threadsWithin } from './threads-within.ts';

const MIB = 2 ** 20;
const within = (limit: number, thread: number) =>
  threadsWithin({ limit: limit * MIB, base: 120 * MIB, thread: thread * MIB });

test('models take at most half of the memory limit', () => {
  expect([within(1536, 150), within(4096, 150), within(4096, 640)]).toEqual([4, 12, 3]);
});

test('one thread runs in any memory', () => {
  expect([within(512, 150), within(128, 150), within(128, 0)]).toEqual([1, 1, 1]);
});

test('threads whose memory was not seen are not limited by it', () => {
  expect(within(4096, -5)).toBeGreaterThan(256);
});
