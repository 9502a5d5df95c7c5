import { expect, test } from '@jest/globals';
import { waitForIndex } from './wait-for-index.ts';

function backlogs(...sizes: readonly number[]) {
  const left = [...sizes];
  return { left, backlog: () => Promise.resolve(left.shift()!) };
}

test('waits until no more than 1,000 changes are left', async () => {
  const index = backlogs(5000, 1001, 1000, 0);
  await waitForIndex(index);
  expect(index.left).toEqual([0]);
});

test('ends with its signal', async () => {
  const reason = AbortSignal.abort(new Error('stop'));
  await expect(waitForIndex(backlogs(5000), reason)).rejects.toThrow('aborted');
});
