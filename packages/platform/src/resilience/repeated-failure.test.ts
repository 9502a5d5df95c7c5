import { expect, test } from '@jest/globals';
import { RepeatedFailure } from './repeated-failure.ts';

test('a failure is reported again only after another failure or a success', () => {
  const reported: unknown[] = [];
  const failure = new RepeatedFailure((error) => reported.push(error));
  const [first, same, other, last] = ['a', 'a', 'b', 'b'].map((message) => new Error(message));
  failure.failed(first);
  failure.failed(same);
  failure.failed(other);
  expect(failure.isFailing).toBe(true);
  failure.succeeded();
  expect(failure.isFailing).toBe(false);
  failure.failed(last);
  expect(reported).toEqual([first, other, last]);
});
