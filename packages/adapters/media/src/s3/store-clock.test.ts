import { expect, test } from '@jest/globals';
import { StoreClock } from './store-clock.ts';

const HOUR = 3_600_000;
/** A date that is far from the current one. */
const STORE_TIME = Date.UTC(2001, 1, 3, 4, 5, 6);

test('ages follow the date of the last response, not that of this machine', () => {
  const clock = new StoreClock();
  clock.observe(new Date(STORE_TIME - HOUR).toUTCString());
  clock.observe(new Date(STORE_TIME).toUTCString());
  expect(clock.ageOf(new Date(STORE_TIME - HOUR))).toBeGreaterThanOrEqual(HOUR);
  expect(clock.ageOf(new Date(STORE_TIME - HOUR))).toBeLessThan(2 * HOUR);
  expect(clock.ageOf(new Date(STORE_TIME + HOUR))).toBe(0);
});

test('all ages are 0 if no response has a date', () => {
  const clock = new StoreClock();
  clock.observe(undefined);
  clock.observe('yesterday');
  expect(clock.ageOf(new Date(0))).toBe(0);
});
