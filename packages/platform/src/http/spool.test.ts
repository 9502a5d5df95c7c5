import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { Spool, type SpoolOptions } from './spool.ts';
import type { SpoolFile } from './spool-file.ts';

const HOLDER = { environment: '1', caller: 'key-1' };
const OTHER = { environment: '2', caller: 'key-2' };

let folder: string;
let files: AsyncDisposableStack;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-spool-'));
  files = new AsyncDisposableStack();
});

afterEach(async () => {
  await files.disposeAsync();
  await rm(folder, { recursive: true });
});

function spoolOf(options: Partial<SpoolOptions>): Spool {
  return new Spool({ maxBytes: 3000, reserveBytes: 0, folder, ...options });
}

async function* chunks(count: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i++) yield await Promise.resolve(new Uint8Array(100).fill(i));
}

/** Appends `count` bytes. Returns the number of stored bytes, or the error. */
async function append(file: SpoolFile, count: number): Promise<unknown> {
  return file.append(chunks(count)).then(
    ({ size }) => size,
    (error: unknown) => (error as { code: string }).code,
  );
}

describe('a spool', () => {
  test('gives a key its share, and leaves room for others', async () => {
    const spool = spoolOf({});
    const first = files.use(await spool.open(HOLDER));
    expect(await append(first, 10)).toBe(1000);
    expect(await append(first, 1)).toBe('overloaded');
    expect(await append(files.use(await spool.open(HOLDER)), 1)).toBe('overloaded');
    expect(await append(files.use(await spool.open(OTHER)), 6)).toBe(600);
  });

  test('releases the space of a file when the file is disposed of', async () => {
    const spool = spoolOf({});
    const first = await spool.open(HOLDER);
    expect(await append(first, 10)).toBe(1000);
    await first[Symbol.asyncDispose]();
    expect(await append(files.use(await spool.open(HOLDER)), 10)).toBe(1000);
  });

  test('shares the free disk space above the reserve', async () => {
    const spool = spoolOf({ reserveBytes: 700, lookUp: () => Promise.resolve(1000) });
    const first = files.use(await spool.open(HOLDER));
    expect(await append(first, 1)).toBe(100);
    expect(await append(first, 1)).toBe('overloaded');
    expect(await append(files.use(await spool.open(OTHER)), 1)).toBe(100);
  });

  test('is full when only the reserve is free on the disk', async () => {
    const spool = spoolOf({ reserveBytes: 700, lookUp: () => Promise.resolve(750) });
    expect(await append(files.use(await spool.open(HOLDER)), 1)).toBe('store_unavailable');
  });

  test('is full when its folder is, whatever is free on the disk, and counts archives', async () => {
    const spool = spoolOf({ folderBytes: 1000, reserveBytes: 700 });
    const third = { environment: '3', caller: 'key-3' };
    const archive = await spool.forArchives().open(OTHER);
    expect(await append(archive, 1)).toBe(100);
    for (const holder of [HOLDER, OTHER]) {
      expect(await append(files.use(await spool.open(holder)), 1)).toBe(100);
    }
    await expect(spool.requireRoom(third, 1)).rejects.toMatchObject({
      code: 'store_unavailable',
    });
    await archive[Symbol.asyncDispose]();
    await spool.requireRoom(third, 1);
  });

  test.each([
    ['its folder', Infinity],
    ['its disk', 700],
  ])('measures %s for bodies that come during a lookup', async (_, free) => {
    const first = Promise.withResolvers<number>();
    const results = [first.promise];
    const lookUp = () => results.shift() ?? Promise.resolve(free);
    const spool = spoolOf({ folderBytes: 1000, lookUp });
    // A key gets a third of the room, and 300 bytes are more than a third of what the archive leaves.
    const sized = spool.requireRoom(HOLDER, 300).catch((error: unknown) => error);
    const chunked = append(files.use(await spool.open(OTHER)), 9);
    expect(await append(files.use(await spool.forArchives().open(OTHER)), 2)).toBe(200);
    await sleep(20);
    first.resolve(free);
    expect(await sized).toMatchObject({ code: 'overloaded' });
    expect(await chunked).toBe('overloaded');
  });

  test('is full when its folder cannot be written', async () => {
    const spool = spoolOf({ folder: join(folder, 'gone') });
    await expect(spool.open(HOLDER)).rejects.toMatchObject({
      code: 'store_unavailable',
      headers: { 'Retry-After': '5' },
    });
  });

  test('reads back the written bytes in pieces', async () => {
    const file = files.use(await spoolOf({}).open(HOLDER));
    const range = await file.append(chunks(3));
    expect([...(await file.read(range))].filter((_, i) => i % 100 === 99)).toEqual([0, 1, 2]);
  });
});
