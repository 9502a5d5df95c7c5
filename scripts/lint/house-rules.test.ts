import { execFileSync, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { temporaryFolder } from '@sightline/test/support/fixtures/temporary-folder';
import { rules } from './house-rules.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const OXLINT = join(ROOT, 'node_modules/oxlint/bin/oxlint');

let folder: Awaited<ReturnType<typeof temporaryFolder>>;

beforeAll(async () => {
  folder = await temporaryFolder();
  const config = {
    jsPlugins: [join(import.meta.dirname, 'house-rules.ts')],
    categories: { correctness: 'off' },
    rules: Object.fromEntries(Object.keys(rules).map((name) => [`house/${name}`, 'error'])),
  };
  await writeFile(join(folder.path, 'config.json'), JSON.stringify(config));
});

afterAll(async () => {
  await folder[Symbol.asyncDispose]();
});

async function lint(code: string): Promise<string> {
  await writeFile(join(folder.path, 'code.ts'), code);
  const args = [OXLINT, '--config', 'config.json', '--format', 'unix', 'code.ts'];
  return spawnSync(process.execPath, args, { cwd: folder.path, encoding: 'utf8' }).stdout;
}

test.each([
  ['named-exports', 'export default 1;'],
  ['no-barrels', "export * from './other.ts';"],
  ['no-spread-of-literal', 'export const one = { ...{ two: 2 } };'],
  ['no-spread-of-literal', 'export const one = [...[2]];'],
  ['limits-by-name', "test('adds', add, 60_000);"],
  ['limits-by-name', "test.each([1])('adds', add, 60_000);"],
  ['limits-by-name', 'beforeAll(start, START_MS);'],
  ['no-clock-limit', 'while (performance.now() < end) await look();'],
  ['no-clock-limit', 'if (Date.now() - start > 5_000) fail();'],
  ['platform-doors', 'export const read = (doors) => doors.withPlatform(() => 1);'],
])('%s is found in: %s', async (name, code) => {
  expect(await lint(code)).toMatch(new RegExp(`^code\\.ts:1:\\d+: .*house\\(${name}\\)`));
});

test('other code has none of it', async () => {
  const code = `import { NODE_MS } from '../waits/limits.ts';
    test('adds', add, NODE_MS);
    beforeAll(start);
    const took = performance.now() - start;
    export { one } from './other.ts';
    export const copies = (list, members) => [[...list], { ...members }, [...[...list].keys()]];
    export const read = (doors) => doors.withScope(() => 1);`;
  expect(await lint(code)).toBe('');
});

test('the configuration has all of them', () => {
  const args = [OXLINT, '--config', 'oxlint.config.ts', '--print-config'];
  const printed = execFileSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  for (const name of Object.keys(rules)) expect(printed).toContain(`house/${name}`);
});
