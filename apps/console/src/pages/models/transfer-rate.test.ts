import { expect, test } from '@jest/globals';
import { addSample, rateOf, type Sample } from './transfer-rate.ts';

const collect = (...samples: Sample[]) =>
  samples.reduce<readonly Sample[]>((all, sample) => addSample(all, sample), []);

test('a rate needs two samples at different times', () => {
  expect(rateOf([])).toBe(null);
  expect(rateOf(collect({ done: 5, at: 0 }))).toBe(null);
  expect(rateOf(collect({ done: 5, at: 0 }, { done: 6, at: 0 }))).toBe(null);
  expect(rateOf(collect({ done: 0, at: 0 }, { done: 500, at: 2_000 }))).toBe(250);
});

test('the rate is that of the last ten seconds', () => {
  const samples = collect(
    { done: 0, at: 0 },
    { done: 9_000, at: 8_000 },
    { done: 9_100, at: 12_000 },
  );
  expect(rateOf(samples)).toBe(25);
});

test('a job that begins again has no negative rate', () => {
  expect(rateOf(collect({ done: 900, at: 0 }, { done: 0, at: 1_000 }))).toBe(0);
});
