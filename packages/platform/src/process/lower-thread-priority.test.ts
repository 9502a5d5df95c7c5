import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { expect, test } from '@jest/globals';

const onLinux = process.platform === 'linux' ? test : test.skip;
const MODULE = new URL('lower-thread-priority.ts', import.meta.url).href;

onLinux('lowers the priority of its thread only', async () => {
  const mine = getPriority();
  const worker = new Worker(new URL('./fixtures/priority-worker.ts', import.meta.url));
  const [priorities] = await once(worker, 'message');
  expect(priorities).toEqual({ before: mine, after: Math.max(mine, 10) });
  expect(getPriority()).toBe(mine);
});

onLinux('keeps the priority of a process that was started with a lower one', async () => {
  const script = `
    import { getPriority } from 'node:os';
    import { lowerThreadPriority } from '${MODULE}';
    lowerThreadPriority();
    console.log(getPriority());
  `;
  const node = [process.execPath, '--no-warnings', '--input-type=module', '--eval', script];
  const { stdout } = await promisify(execFile)('nice', ['-n', '19', ...node]);
  expect(Number(stdout)).toBe(19);
});
