import { afterEach, expect, test } from '@jest/globals';
import { waitUntil } from './wait-until.ts';

const realNow = performance.now.bind(performance);

afterEach(() => {
  performance.now = realNow;
});

/** Counts its calls, and makes it ten seconds later with each. */
function slowCounter(): () => number {
  let count = 0;
  performance.now = () => realNow() + count * 10_000;
  return () => ++count;
}

test('a wait returns what fulfills its condition', async () => {
  const isDone = (count: number) => count === 3;
  expect(await waitUntil('it is three', slowCounter(), { isDone })).toBe(3);
});

test('a wait gives up after two minutes, and says what it waited for and last saw; later ones are shorter', async () => {
  const isDone = () => false;
  await expect(waitUntil('it ends', slowCounter(), { isDone })).rejects.toThrow(
    /^Waited 120 s until it ends\. The last look found: \d+$/,
  );
  await expect(waitUntil('it ends', slowCounter(), { isDone })).rejects.toThrow('Waited 15 s');
});
