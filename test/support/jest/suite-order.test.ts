import { existsSync, globSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';
import { DEFERRED, isDeferred, orderSuites, suiteSeconds } from './suite-order.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const suite = (path: string) => ({ path });
const order = (paths: readonly string[], commit = 'a') =>
  orderSuites(paths.map(suite), commit, () => '').map(({ name, suites }) => ({
    name,
    paths: suites.map(({ path }) => path),
  }));

test('suites of a platform run together, and those that a run may leave out come last', () => {
  const source = new Map([['apps/a.test.ts', "sharedService('platform')"]]);
  const phases = orderSuites(
    ['test/acceptance/demo.test.ts', 'apps/a.test.ts', 'packages/b.test.ts'].map(suite),
    'a',
    ({ path }) => source.get(path) ?? '',
  );
  expect(phases).toEqual([
    { name: 'any', suites: [suite('packages/b.test.ts')] },
    { name: 'platform', suites: [suite('apps/a.test.ts')] },
    { name: 'deferred', suites: [suite('test/acceptance/demo.test.ts')] },
  ]);
});

test('suites that need a quiet machine have a phase of their own, before or after the deferred ones', () => {
  const paths = ['test/faults/stores.test.ts', 'test/faults/kill-jobs.test.ts'];
  const first = Array.from({ length: 16 }, (_, commit) => order(paths, String(commit))[0]!);
  expect(first).toContainEqual({ name: 'quiet', paths: ['test/faults/stores.test.ts'] });
  expect(first).toContainEqual({ name: 'deferred', paths: ['test/faults/kill-jobs.test.ts'] });
});

test('another commit begins with other deferred suites, and a repeated run with the same ones', () => {
  const paths = Array.from({ length: 9 }, (_, i) => `test/faults/kill-${i}.test.ts`);
  const firsts = Array.from({ length: 30 }, (_, commit) => order(paths, String(commit)));
  expect(new Set(firsts.map(([phase]) => phase!.paths[0])).size).toBeGreaterThan(4);
  expect(order(paths, '3')).toEqual(firsts[3]);
});

test('the longest suites start first', () => {
  const seconds = suiteSeconds();
  const [longest, second] = [...seconds.keys()].filter((path) => !isDeferred(path));
  expect(order(['short.test.ts', second!, longest!])).toEqual([
    { name: 'any', paths: [longest, second, 'short.test.ts'] },
  ]);
});

test('the table and the list of seconds name suites that exist', () => {
  const suites = globSync('{apps,operator,packages,scripts,test}/**/*.test.{ts,tsx}', {
    cwd: ROOT,
    exclude: (name) => name === 'node_modules',
  });
  const unused = DEFERRED.filter(([pattern]) => !suites.some((path) => pattern.test(path)));
  expect(unused).toEqual([]);
  expect(isDeferred('test/faults/kill.test.ts')).toBe(false);
  expect([...suiteSeconds().keys()].filter((path) => !existsSync(resolve(ROOT, path)))).toEqual([]);
});
