import { expect, test } from '@jest/globals';
import { StoreClock } from './store-clock.ts';

const HOUR = 3_600_000;
/** A date that is far from the current one. */
const TOLD = Date.UTC(2001, 1, 3, 4, 5, 6);

test('ages follow the date of the last response, not that of this machine', () => {
  const clock = new StoreClock();
  clock.observe(new Date(TOLD - HOUR).toUTCString());
  clock.observe(new Date(TOLD).toUTCString());
  expect(clock.ageOf(new Date(TOLD - HOUR))).toBeGreaterThanOrEqual(HOUR);
  expect(clock.ageOf(new Date(TOLD - HOUR))).toBeLessThan(2 * HOUR);
  expect(clock.ageOf(new Date(TOLD + HOUR))).toBe(0);
});

test('nothing is old if the store does not tell its time', () => {
  const clock = new StoreClock();
  clock.observe(undefined);
  clock.observe('yesterday');
  expect(clock.ageOf(new Date(0))).toBe(0);
});
