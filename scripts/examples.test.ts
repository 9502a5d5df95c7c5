import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from '@jest/globals';

const ROOT = resolve(import.meta.dirname, '..');
/** The address of a database with a password in it. */
const ADDRESS = /postgres(?:ql)?:\/\/[^\s'"`|]+@[^\s'"`|;,]+/g;

test('every example of the address of a database says how it is encrypted', () => {
  const pages = execFileSync('git', ['ls-files', '*.md', 'packages/platform/src/config/groups'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  const addresses = pages
    .trim()
    .split('\n')
    .flatMap((page) => readFileSync(resolve(ROOT, page), 'utf8').match(ADDRESS) ?? []);
  expect(addresses.length).toBeGreaterThan(4);
  expect(addresses.filter((address) => !address.includes('sslmode='))).toEqual([]);
});
