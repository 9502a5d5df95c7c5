import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from '@jest/globals';
import { type BuildSizes, readBuildSizes } from './build-sizes.ts';

/** The greatest sizes in bytes. */
const MOST = { first: 170_000, page: 80_000, styles: 20_000 };

let sizes: BuildSizes;

beforeAll(async () => {
  // Vite runs in a process of its own, because Jest's modules are not those of Node.
  const { stdout } = await promisify(execFile)(process.execPath, [
    join(import.meta.dirname, 'main.ts'),
  ]);
  sizes = await readBuildSizes(stdout.trim());
});

test('the first page in the frame needs at most 170 kB of script, and the sign-in less', () => {
  expect(sizes.signIn).toBeGreaterThan(MOST.page);
  expect(sizes.signIn).toBeLessThan(sizes.first);
  expect(sizes.first).toBeLessThanOrEqual(MOST.first);
});

test('no page adds more than 80 kB of script', () => {
  expect(Object.keys(sizes.pages).length).toBeGreaterThan(10);
  const tooLarge = Object.entries(sizes.pages).filter(([, size]) => size > MOST.page);
  expect(Object.fromEntries(tooLarge)).toEqual({});
});

test('all style sheets have at most 20 kB', () => {
  expect(sizes.styles).toBeGreaterThan(0);
  expect(sizes.styles).toBeLessThanOrEqual(MOST.styles);
});
