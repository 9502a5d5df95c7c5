import { once } from 'node:events';
import { getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('lowers the priority of its thread only', async () => {
  const mine = getPriority();
  const worker = new Worker(new URL('./fixtures/priority-worker.ts', import.meta.url));
  const [priorities] = await once(worker, 'message');
  expect(priorities).toEqual({ before: mine, after: Math.max(mine, 10) });
  expect(getPriority()).toBe(mine);
});
