import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { copyTree } from './copy-tree.ts';

let parent: string;
let from: string;
let to: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'copy-tree-'));
  from = join(parent, 'from');
  to = join(parent, 'to');
  await mkdir(join(from, 'inner/left-out'), { recursive: true });
  await writeFile(join(from, 'key'), 'secret', { mode: 0o600 });
  await writeFile(join(from, 'inner/photo'), Buffer.alloc(70_000, 7));
  await writeFile(join(from, 'left-out'), 'x');
});

afterEach(() => rm(parent, { recursive: true }));

test('files are copied with their modes, and counted', async () => {
  expect(await copyTree(from, to, new Set(['left-out']))).toEqual({ files: 2, bytes: 70_006 });
  expect((await readdir(to, { recursive: true })).sort()).toEqual([
    'inner',
    'inner/left-out',
    'inner/photo',
    'key',
  ]);
  expect(await readFile(join(to, 'inner/photo'))).toEqual(Buffer.alloc(70_000, 7));
  expect((await stat(join(to, 'key'))).mode & 0o777).toBe(0o600);
  expect((await stat(to)).mode & 0o777).toBe(0o700);
});

test('nothing is overwritten', async () => {
  await copyTree(from, to);
  await expect(copyTree(from, to)).rejects.toThrow('EEXIST');
});

test('a special file is refused, and does not block', async () => {
  const server = createServer().listen(join(from, 'socket'));
  await once(server, 'listening');
  await expect(copyTree(from, to)).rejects.toThrow('socket is neither a file nor a folder');
  server.close();
});
