import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';
import { WaitLimit } from './wait-until.ts';

const PAUSE_MS = 50;

/** Waits until a value is as expected, and fails with the last one if it never is. The limits are those of `waitUntil`. */
export async function eventually<T>(read: () => Promise<T>, expected: T): Promise<void> {
  const limit = new WaitLimit();
  const isExpected = (value: T) => JSON.stringify(value) === JSON.stringify(expected);
  let value = await read();
  while (!isExpected(value) && !limit.isOver()) {
    await delay(PAUSE_MS);
    value = await read();
  }
  expect(value).toEqual(expected);
}
