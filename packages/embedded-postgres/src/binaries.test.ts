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

test('the programs of this platform run', async () => {
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

  test('are made once, by however many', async () => {
    await Promise.all(Array.from({ length: 8 }, () => restoreLinks('a-package', parent)));
    for (const name of ['libpq.so', 'libpq.so.5']) {
      expect(await readFile(join(parent, 'native/lib', name), 'utf8')).toBe('the library');
    }
  });

  test('lead to a sentence where they cannot be made', async () => {
    await symlink('nowhere', join(parent, 'native/lib/libpq.so'));
    await expect(restoreLinks('a-package', parent)).rejects.toThrow(
      /^The package a-package lacks native\/lib\/libpq\.so, and .* run npm rebuild a-package as the owner/,
    );
  });
});

describeAsRoot('for an account that cannot reach the clone', () => {
  test('they are copied, once for each version', async () => {
    const installed = await findBinaries();
    const clone = join(parent, 'clone');
    await cp(installed.root, clone, { recursive: true, verbatimSymlinks: true });
    await chmod(clone, 0o700);
    await chmod(parent, 0o711);
    const place = join(parent, 'place');
    await mkdir(join(place, 'binaries-17.1'), { recursive: true });

    const copied = await reachableBinaries({ ...installed, root: clone }, NOBODY, place);
    expect(copied.root).toBe(join(place, `binaries-${installed.version}`));
    expect(await readdir(place)).toEqual([`binaries-${installed.version}`]);
    const output = execFileSync(program(copied, 'postgres'), ['--version'], NOBODY);
    expect(output.toString()).toContain('PostgreSQL');

    await rm(clone, { recursive: true });
    // Those that it can reach stay where they are.
    expect(await reachableBinaries(copied, NOBODY, parent)).toBe(copied);
  });
});
