import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const MODULE = new URL('count-buffers.ts', import.meta.url).href;

/** Drops a gigabyte of buffers beside a heap of 64 MB, and prints the number of collections of the whole heap. */
const SCRIPT = `
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
let collections = 0;
const observer = new PerformanceObserver((list) => {
  for (const { detail } of list.getEntries()) {
    if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collections += 1;
  }
});
const kept = Array.from({ length: 1_000_000 }, (_, i) => [i]);
observer.observe({ entryTypes: ['gc'] });
for (let i = 0; i < 512; i++) {
  Buffer.alloc(2 * 1024 ** 2);
  await setImmediate();
}
await setImmediate();
console.log(kept.length && collections);
`;

async function collections(setup: string): Promise<number> {
  const args = ['--no-warnings', '--input-type=module', '--eval', `${setup}\n${SCRIPT}`];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, args);
  expect(stderr).toBe('');
  return Number(stdout);
}

test('buffers that are dropped start half as many collections of the heap at most', async () => {
  const usual = await collections('');
  const counted = await collections(`import { countBuffers } from '${MODULE}';\ncountBuffers();`);
  expect(usual).toBeGreaterThan(1);
  expect(counted).toBeLessThanOrEqual(usual / 2);
});
