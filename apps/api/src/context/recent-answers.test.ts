import { beforeEach, expect, test } from '@jest/globals';
import { RecentAnswers } from './recent-answers.ts';

const [OURS, THEIRS] = [{ environmentId: 1 }, { environmentId: 2 }];

let now: number;
let reads: number;
let answers: RecentAnswers;

beforeEach(() => {
  now = 0;
  reads = 0;
  answers = new RecentAnswers(() => now);
});

const read = () => Promise.resolve(++reads);

test('an answer is given again for ten seconds', async () => {
  expect(await answers.get(OURS, 'a', read)).toBe(1);
  now = 9_999;
  expect(await answers.get(OURS, 'a', read)).toBe(1);
  now = 10_000;
  expect(await answers.get(OURS, 'a', read)).toBe(2);
});

test('another question, and another environment, have an answer of their own', async () => {
  expect(await answers.get(OURS, 'a', read)).toBe(1);
  expect(await answers.get(OURS, 'b', read)).toBe(2);
  expect(await answers.get(THEIRS, 'a', read)).toBe(3);
});

test('an error is not kept', async () => {
  const fail = () => Promise.reject(new Error('it failed'));
  await expect(answers.get(OURS, 'a', fail)).rejects.toThrow('it failed');
  expect(await answers.get(OURS, 'a', read)).toBe(1);
});

test('only the newest answers are kept', async () => {
  for (let i = 0; i <= 200; i++) await answers.get(OURS, `${i}`, read);
  expect(await answers.get(OURS, '1', read)).toBe(2);
  expect(await answers.get(OURS, '0', read)).toBe(202);
});
