import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { writeDurably } from './write-durably.ts';

let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'write-durably-'));
  path = join(folder, 'file');
});
afterEach(() => rm(folder, { recursive: true }));

test('the new content replaces the old one, and only the owner may read it', async () => {
  await writeFile(path, 'old');
  // A crash during an earlier write may have left a temporary file.
  await writeFile(`${path}.new`, 'a longer, unfinished text', { mode: 0o600 });
  await writeDurably(path, 'new');
  expect(await readFile(path, 'utf8')).toBe('new');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(await readdir(folder)).toEqual(['file']);
});

test('content that fails leaves the old file', async () => {
  await writeFile(path, 'old');
  async function* content() {
    yield Buffer.from('half');
    await Promise.reject(new Error('The source failed.'));
  }
  await expect(writeDurably(path, content())).rejects.toThrow('The source failed.');
  expect(await readFile(path, 'utf8')).toBe('old');
});

test('an abort leaves the old file', async () => {
  await writeFile(path, 'old');
  const abort = new AbortController();
  async function* content() {
    yield await Promise.resolve(Buffer.from('new'));
    abort.abort(new Error('stopped'));
  }
  const temporary = join(folder, 'other');
  await expect(
    writeDurably(path, content(), { temporary, signal: abort.signal }),
  ).rejects.toThrow();
  expect(await readFile(path, 'utf8')).toBe('old');
});
