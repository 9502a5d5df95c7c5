import { setTimeout as delay } from 'node:timers/promises';
import { expect } from '@jest/globals';

const PAUSE_MS = 50;
/** Buckets of lists may be 10 s old, and other suites may use all cores. */
const LONGEST_MS = 120_000;

/** Waits until a value is as expected, and fails with the last one if it never is. */
export async function eventually<T>(
  read: () => Promise<T>,
  expected: T,
  longestMs = LONGEST_MS,
): Promise<void> {
  const end = performance.now() + longestMs;
  for (;;) {
    const value = await read();
    if (performance.now() > end || JSON.stringify(value) === JSON.stringify(expected)) {
      expect(value).toEqual(expected);
      return;
    }
    await delay(PAUSE_MS);
  }
}
