import { expect, test } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { followSimilarityTask } from './follow-similarity-task.ts';

const { signal } = new AbortController();

async function msOf(isBusy: boolean, more: boolean): Promise<number> {
  const next = async () => {
    await sleep(30);
    return more;
  };
  const task = followSimilarityTask({ next }, () => isBusy);
  const start = performance.now();
  expect(await task.run(signal, () => undefined)).toEqual({ more });
  return performance.now() - start;
}

test('a process that answers requests pauses after a turn if more is to do', async () => {
  expect(await msOf(true, true)).toBeGreaterThan(200);
  expect(await msOf(true, false)).toBeLessThan(200);
  expect(await msOf(false, true)).toBeLessThan(200);
});
