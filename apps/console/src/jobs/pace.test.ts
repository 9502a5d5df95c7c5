import { expect, test } from '@jest/globals';
import { rateOf, secondsLeft, withSample } from './pace.ts';

test('the rate is that of the last half minute', () => {
  const samples = [
    { at: 0, finished: 0 },
    { at: 20_000, finished: 100 },
    { at: 50_000, finished: 400 },
  ].reduce<ReturnType<typeof withSample>>(withSample, []);
  expect(rateOf(samples)).toBe(10);
  expect(secondsLeft(50, rateOf(samples))).toBe(5);
});

test.each([
  [[]],
  [[{ at: 0, finished: 3 }]],
  [
    [
      { at: 0, finished: 3 },
      { at: 100, finished: 9 },
    ],
  ],
  [
    [
      { at: 0, finished: 3 },
      { at: 9_000, finished: 3 },
    ],
  ],
])('there is no rate of %j', (samples) => {
  expect(rateOf(samples)).toBeNull();
  expect(secondsLeft(1, rateOf(samples))).toBeNull();
});
