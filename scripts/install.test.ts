import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { temporaryFolder } from '@sightline/test/support/fixtures/temporary-folder';

test('an installation runs no script of a package, whatever the version of npm', async () => {
  await using folder = await temporaryFolder();
  const inFolder = (...names: string[]) => join(folder.path, ...names);
  const scripts = { preinstall: 'echo > ran', install: 'echo > ran', postinstall: 'echo > ran' };
  await mkdir(inFolder('dependency'));
  await writeFile(
    inFolder('dependency/package.json'),
    JSON.stringify({ name: 'dependency', version: '1.0.0', scripts }),
  );
  await writeFile(
    inFolder('package.json'),
    JSON.stringify({ private: true, dependencies: { dependency: 'file:./dependency' }, scripts }),
  );
  await copyFile(resolve(import.meta.dirname, '../.npmrc'), inFolder('.npmrc'));
  await promisify(execFile)('npm', ['install', '--offline'], { cwd: folder.path });
  expect((await readdir(inFolder('node_modules'))).includes('dependency')).toBe(true);
  expect(await readdir(folder.path)).not.toContain('ran');
  expect(await readdir(inFolder('dependency'))).not.toContain('ran');
});
