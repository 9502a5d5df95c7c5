import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';

const SCRIPT = resolve(import.meta.dirname, 'fixtures/print-malloc.ts');

const TUNED = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '4194304',
  MALLOC_TRIM_THRESHOLD_: '1048576',
};

/**
 * Runs a process that tunes its allocator. Returns the process's own report and the pid with which it was started.
 */
async function run(env: Record<string, string>) {
  const args = ['--no-warnings', SCRIPT, 'a word', '--flag'];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect(code).toBe(0);
  return { started: child.pid, seen: JSON.parse(output) as Record<string, unknown> };
}

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('the process executes itself again with the same pid and a tuned allocator', async () => {
  const { started, seen } = await run({});
  expect(seen).toEqual({
    pid: started,
    words: ['a word', '--flag'],
    options: ['--no-warnings'],
    malloc: TUNED,
  });
});

onLinux('values in the environment are kept', async () => {
  const { seen } = await run({ MALLOC_ARENA_MAX: '8' });
  expect(seen).toMatchObject({ malloc: { ...TUNED, MALLOC_ARENA_MAX: '8' } });
});
