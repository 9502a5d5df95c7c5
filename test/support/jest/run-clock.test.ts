import { expect, test } from '@jest/globals';
import { mayBegin, readRunClock } from './run-clock.ts';

const END_S = 10_000;
const clock = readRunClock({ SIGHTLINE_TEST_END: String(END_S) });
const DEFERRED = 'test/acceptance/demo.test.ts';
const OTHER = 'packages/a.test.ts';

test.each([
  { path: OTHER, minutesBefore: 1, begins: true },
  { path: OTHER, minutesBefore: 0, begins: false },
  { path: DEFERRED, minutesBefore: 16, begins: true },
  { path: DEFERRED, minutesBefore: 14, begins: false },
])(
  '$minutesBefore minutes before the end, $path begins: $begins',
  ({ path, minutesBefore, begins }) => {
    expect(mayBegin(path, clock, (END_S - minutesBefore * 60) * 1000)).toBe(begins);
  },
);

test('a run without an end takes all suites', () => {
  expect(mayBegin(DEFERRED, readRunClock({}), Date.now())).toBe(true);
});

test('an end that is no number is refused', () => {
  expect(() => readRunClock({ SIGHTLINE_TEST_END: 'soon' })).toThrow('SIGHTLINE_TEST_END');
});
