import { execFileSync } from 'node:child_process';
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { describeAsRoot, NOBODY } from '@sightline/test/support/gates/describe-as-root';
import { findBinaries, program, reachableBinaries, restoreLinks } from './binaries.ts';

let parent: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'binaries-'));
});

afterEach(() => rm(parent, { recursive: true }));

test('runs the programs of this platform', async () => {
  const output = execFileSync(program(await findBinaries(), 'initdb'), ['--version']);
  expect(output.toString()).toMatch(/PostgreSQL\) 18\./);
});

describe('links that the package lists', () => {
  beforeEach(async () => {
    await mkdir(join(parent, 'native/lib'), { recursive: true });
    await writeFile(join(parent, 'native/lib/libpq.so.5.18'), 'the library');
    const links = ['libpq.so', 'libpq.so.5'].map((name) => ({
      source: 'native/lib/libpq.so.5.18',
      target: `native/lib/${name}`,
    }));
    await writeFile(join(parent, 'native/pg-symlinks.json'), JSON.stringify(links));
  });

  test('are created once, also by several processes', async () => {
    await Promise.all(Array.from({ length: 8 }, () => restoreLinks('a-package', parent)));
    for (const name of ['libpq.so', 'libpq.so.5']) {
      expect(await readFile(join(parent, 'native/lib', name), 'utf8')).toBe('the library');
    }
  });

  test('that cannot be created end with a clear message', async () => {
    await symlink('nowhere', join(parent, 'native/lib/libpq.so'));
    await expect(restoreLinks('a-package', parent)).rejects.toThrow(
      /^The package a-package lacks the link native\/lib\/libpq\.so, .* run npm rebuild a-package as the owner/,
    );
  });
});

describeAsRoot('for an account that cannot reach the clone', () => {
  test('copies them, once per version', async () => {
    const installed = await findBinaries();
    const clone = join(parent, 'clone');
    await cp(installed.root, clone, { recursive: true, verbatimSymlinks: true });
    await chmod(clone, 0o700);
    await chmod(parent, 0o711);
    const shared = join(parent, 'shared');

    const [copied] = await Promise.all(
      Array.from({ length: 3 }, () =>
        reachableBinaries({ ...installed, root: clone }, NOBODY, shared),
      ),
    );
    expect(copied!.root).toBe(join(shared, `binaries-${installed.version}`));
    expect(await readdir(shared)).toEqual([`binaries-${installed.version}`]);
    const output = execFileSync(program(copied!, 'postgres'), ['--version'], NOBODY);
    expect(output.toString()).toContain('PostgreSQL');

    await rm(clone, { recursive: true });
    expect(await reachableBinaries(copied!, NOBODY, shared)).toBe(copied);
  });
});
