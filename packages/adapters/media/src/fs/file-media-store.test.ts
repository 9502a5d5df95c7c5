import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmdirSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { digestOfMediaKey, mediaKey } from '@sightline/core/media/media-key';
import { FileMediaStore } from './file-media-store.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-media-'));
});
afterEach(() => rm(folder, { recursive: true }));

const someKey = () => mediaKey(1, 'crops', { digest: '0f'.repeat(32), extension: 'jpg' });
const bytes = new Uint8Array(1000).fill(7);

async function sizeOf(store: FileMediaStore, key: string): Promise<number | undefined> {
  const found = await store.open(key);
  await found?.body.cancel();
  return found?.size;
}

/** The part of a store's failure that a client may see, which contains no path. */
const unavailable = (message: string) =>
  expect.objectContaining({ code: 'store_unavailable', message });

describe('the folder of a store', () => {
  test('is created, for its owner alone', async () => {
    const inner = join(folder, 'media');
    const store = await FileMediaStore.open({ folder: inner });
    const key = someKey();
    await store.put(key, bytes);
    const modes = await Promise.all(
      ['', 'tmp', 'objects', 'objects/1', `objects/${key}`].map((path) => stat(join(inner, path))),
    );
    expect(modes.map(({ mode }) => (mode & 0o777).toString(8))).toEqual([
      '700',
      '700',
      '700',
      '700',
      '600',
    ]);
  });

  test('keeps its objects when it is opened again, and removes unfinished ones', async () => {
    const key = someKey();
    await (await FileMediaStore.open({ folder })).put(key, bytes);
    await writeFile(join(folder, 'tmp', 'half'), 'hal');
    const store = await FileMediaStore.open({ folder });
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
    expect(await sizeOf(store, key)).toBe(1000);
  });

  test('may hold foreign files, which are not objects', async () => {
    const store = await FileMediaStore.open({ folder });
    await store.put(someKey(), bytes);
    await mkdir(join(folder, 'objects/1/crops/zz'));
    await writeFile(join(folder, 'objects/1/crops/zz/.DS_Store'), 'x');
    await writeFile(join(folder, 'objects/README'), 'x');
    expect(await Array.fromAsync(store.list(''))).toHaveLength(1);
  });

  test('that lost its subfolders creates them with the second put', async () => {
    const store = await FileMediaStore.open({ folder });
    await store.put(someKey(), bytes);
    await rm(join(folder, 'objects/1'), { recursive: true });
    const key = someKey();
    await expect(store.put(key, bytes)).rejects.toEqual(unavailable('The media store failed.'));
    await store.put(key, bytes);
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
  });

  test('that is no folder is an error of the store', async () => {
    const file = join(folder, 'file');
    await writeFile(file, 'x');
    const opening = FileMediaStore.open({ folder: join(file, 'media') });
    await expect(opening).rejects.toEqual(unavailable('The media store failed.'));
  });
});

describe('after kill -9', () => {
  test('all acknowledged files exist, and none is incomplete', async () => {
    const script = new URL('./fixtures/endless-puts.ts', import.meta.url).pathname;
    const child = spawn(process.execPath, [script, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const acknowledged: string[] = [];
    for await (const line of createInterface({ input: child.stdout })) {
      acknowledged.push(line);
      if (acknowledged.length === 12) child.kill('SIGKILL');
    }
    if (child.signalCode === null) await once(child, 'exit');
    const store = await FileMediaStore.open({ folder });
    const found: string[] = [];
    for await (const { key } of store.list('')) {
      const hash = createHash('sha256');
      for await (const chunk of (await store.open(key))!.body) hash.update(chunk);
      expect(hash.digest('hex')).toBe(digestOfMediaKey(key));
      found.push(key);
    }
    expect(acknowledged.length).toBeGreaterThanOrEqual(12);
    expect(found).toEqual(expect.arrayContaining(acknowledged));
  });
});

function run(program: string, ...args: string[]): void {
  execFileSync(program, args, { stdio: 'pipe' });
}

/** Mounts a file system of 1 MiB. Returns the reason if this process may not mount one. */
function mountSmall(): { readonly at: string } | { readonly reason: string } {
  const at = mkdtempSync(join(tmpdir(), 'sightline-small-'));
  try {
    run('mount', '-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', at);
    chmodSync(at, 0o700);
    return { at };
  } catch {
    rmdirSync(at);
    return { reason: 'a small file system cannot be mounted here' };
  }
}

const small = mountSmall();
const describeWithSmall =
  'at' in small
    ? describe
    : (name: string, body: () => void) => describe.skip(`${name} [skipped: ${small.reason}]`, body);

describeWithSmall('a full file system', () => {
  const at = 'at' in small ? small.at : '';
  afterAll(() => {
    run('umount', at);
    rmdirSync(at);
  });

  test('refuses a put, and leaves nothing of it', async () => {
    const store = await FileMediaStore.open({ folder: join(at, 'full') });
    const free = await store.freeBytes();
    expect(free).toBeLessThanOrEqual(1024 * 1024);
    const large = new Uint8Array(2 * 1024 * 1024);
    const full = unavailable('The media store is full.');
    await expect(store.put(someKey(), large)).rejects.toEqual(full);
    expect(await readdir(join(at, 'full', 'tmp'))).toEqual([]);
    expect(await Array.fromAsync(store.list(''))).toEqual([]);
    const key = someKey();
    await store.put(key, bytes);
    expect(await sizeOf(store, key)).toBe(1000);
  });

  test('up to the reserve is reported before a put, and can be read', async () => {
    const folder = join(at, 'filled');
    const reserveBytes = 256 * 1024;
    const store = await FileMediaStore.open({ folder, reserveBytes });
    const key = someKey();
    await store.put(key, bytes);
    await store.requireAnswer();
    const filler = join(at, 'filler');
    const free = await store.freeBytes();
    await writeFile(filler, new Uint8Array(free - reserveBytes / 2));
    try {
      // A new store is opened, because the old one has cached the number of free bytes from before the disk was
      // filled.
      const full = FileMediaStore.attach({ folder, reserveBytes });
      const left = (await full.freeBytes()).toLocaleString('en-US');
      const refusal = unavailable(
        `The disk of the images is full up to its reserve: ${left} bytes are free, the reserve is 262,144 bytes.`,
      );
      await expect(full.requireAnswer()).rejects.toEqual(refusal);
      await expect(full.check()).rejects.toEqual(refusal);
      expect(await readdir(join(folder, 'tmp'))).toEqual([]);
      expect(await sizeOf(full, key)).toBe(1000);
      // A put does not check the reserve, because its photo was accepted earlier. A removal works on a full disk, too.
      const last = someKey();
      await full.put(last, bytes);
      await full.remove([last]);
      await FileMediaStore.attach({ folder }).requireAnswer();
    } finally {
      await rm(filler);
    }
    await FileMediaStore.attach({ folder, reserveBytes }).requireAnswer();
    expect(await readdir(join(folder, 'tmp'))).toEqual([]);
  });

  test('that is read-only is reported, and can be read', async () => {
    const store = await FileMediaStore.open({ folder: join(at, 'read-only') });
    const key = someKey();
    await store.put(key, bytes);
    run('mount', '-o', 'remount,ro', at);
    try {
      const refusal = unavailable('The media store cannot be written to.');
      await expect(store.put(someKey(), bytes)).rejects.toEqual(refusal);
      await expect(store.remove([key])).rejects.toEqual(refusal);
      await expect(store.requireAnswer()).rejects.toEqual(refusal);
      await expect(store.check()).rejects.toEqual(refusal);
      const opening = FileMediaStore.open({ folder: join(at, 'other') });
      await expect(opening).rejects.toEqual(refusal);
      expect(await sizeOf(store, key)).toBe(1000);
    } finally {
      run('mount', '-o', 'remount,rw', at);
    }
  });
});
