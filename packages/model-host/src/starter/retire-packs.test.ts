import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { CacheFolder } from '@sightline/model-downloads/cache-folder';
import { temporaryFolder } from '@sightline/test/support/fixtures/temporary-folder';
import { retirePacks } from './retire-packs.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const OLD = '0123456789abcdef';
const NEW = 'fedcba9876543210';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let cache: CacheFolder;

beforeEach(async () => {
  folder = await temporaryFolder();
  cache = new CacheFolder(folder.path);
  for (const home of [OLD, NEW]) {
    await mkdir(cache.pathOf('packs', home, 'things'), { recursive: true });
    await writeFile(cache.pathOf('packs', home, 'things', 'net.onnx'), 'a graph');
  }
});

afterEach(async () => {
  await folder[Symbol.asyncDispose]();
});

function start(home: string, days: number): Promise<void> {
  return retirePacks(cache, [cache.pathOf('packs', home)], Date.now() + days * DAY_MS);
}

async function homes(): Promise<string[]> {
  return (await readdir(cache.pathOf('packs'))).sort();
}

test('a pack of another version is deleted a week after the first start without it', async () => {
  await start(NEW, 0);
  await start(NEW, 6.9);
  expect(await homes()).toEqual([OLD, `${OLD}.unused`, NEW]);
  await start(NEW, 7.1);
  expect(await homes()).toEqual([NEW]);
  expect(await readdir(join(folder.path, 'tmp'))).toEqual([]);
});

test('a version that starts in the meantime keeps its packs for another week', async () => {
  await start(NEW, 0);
  await start(OLD, 5);
  await start(NEW, 8);
  expect(await homes()).toContain(OLD);
  await start(NEW, 16);
  expect(await homes()).toEqual([NEW]);
});

test('what is no pack stays, and a cache without packs is no failure', async () => {
  await mkdir(cache.pathOf('packs', 'notes'));
  await start(NEW, 0);
  await start(NEW, 8);
  expect(await homes()).toEqual([NEW, 'notes']);
  await retirePacks(new CacheFolder(join(folder.path, 'nowhere')), []);
});

test('a cache that takes no temporary files keeps what it has', async () => {
  await start(NEW, 0);
  await writeFile(join(folder.path, 'tmp'), 'a file');
  await start(NEW, 8);
  expect(await homes()).toContain(OLD);
});
