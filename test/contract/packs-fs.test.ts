import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { FilePackStore } from '@sightline/media/fs/file-pack-store';
import { localFileOf } from '@sightline/core/media/testing/local-file-of';
import { describePackStore } from './pack-store.contract.ts';

async function openFolder() {
  const parent = await mkdtemp(join(tmpdir(), 'sightline-packs-'));
  const folder = join(parent, 'models');
  return {
    folder,
    store: await FilePackStore.open({ folder }),
    [Symbol.asyncDispose]: () => rm(parent, { recursive: true }),
  };
}

describePackStore('packs-fs', openFolder);

const SHA256 = 'a'.repeat(64);

test('an opened folder keeps packs, and nothing of what a crash has left', async () => {
  await using opened = await openFolder();
  const { folder, store } = opened;
  await store.putFile(SHA256, localFileOf(new Uint8Array(9)));
  await writeFile(join(folder, 'tmp', 'left'), 'half');
  const before = new Date(Date.now() - 2 * 60 * 60 * 1000);
  await utimes(join(folder, 'tmp', 'left'), before, before);
  await writeFile(join(folder, 'tmp', 'being-written'), 'half');
  await mkdir(join(folder, 'manifests'));
  await writeFile(join(folder, 'manifests', 'notes.txt'), 'of a person');
  const again = await FilePackStore.open({ folder });
  expect(await again.hasFile(SHA256)).toBe(true);
  expect(await readdir(join(folder, 'tmp'))).toEqual(['being-written']);
  expect(await Array.fromAsync(again.list())).toEqual([]);
});

test('a file that would leave less than the reserve is not stored', async () => {
  await using opened = await openFolder();
  const store = await FilePackStore.open({ folder: opened.folder, reserveBytes: 2 ** 60 });
  await expect(store.putFile(SHA256, localFileOf(new Uint8Array(9)))).rejects.toMatchObject({
    code: 'store_unavailable',
    message: expect.stringContaining('The disk of the models has no room for 9 bytes'),
  });
  expect(await store.hasFile(SHA256)).toBe(false);
});
