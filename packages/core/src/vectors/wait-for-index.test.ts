import { expect, test } from '@jest/globals';
import { waitForIndex } from './wait-for-index.ts';

function backlogs(...sizes: readonly number[]) {
  const left = [...sizes];
  return { left, backlog: () => Promise.resolve(left.shift()!) };
}

test('waits until at most 1,000 changes are pending', async () => {
  const index = backlogs(5000, 1001, 1000, 0);
  await waitForIndex(index);
  expect(index.left).toEqual([0]);
});

test('rejects when its signal aborts', async () => {
  const reason = AbortSignal.abort(new Error('stop'));
  await expect(waitForIndex(backlogs(5000), reason)).rejects.toThrow('aborted');
});
