import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

/** Twice the growth after which a worker collects. */
const MOST_BYTES = 128 * 1024 ** 2;

test('jobs that drop a gigabyte of buffers leave few of them, also in a process that collects garbage seldom', async () => {
  const script = resolve(import.meta.dirname, 'fixtures/measure-dropped.ts');
  const { stdout } = await promisify(execFile)(process.execPath, ['--no-warnings', script]);
  expect(Number(stdout)).toBeLessThan(MOST_BYTES);
});
