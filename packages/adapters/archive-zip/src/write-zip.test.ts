import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Entry, fromBufferPromise, openPromise } from 'yauzl';
import { writeZip } from './write-zip.ts';
import { linesEntry, storedEntry, type ZipEntry } from './zip-entry.ts';

const MODIFIED = new Date('2026-11-20T10:20:30.000Z');
const BLOCK = Buffer.alloc(64 * 1024 ** 2);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-zip-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function* each<T>(items: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T> {
  yield* items;
}

/** Writes a ZIP into a sparse file: blocks of zeros are skipped, so they take no space on the disk. */
async function zipFile(name: string, entries: Iterable<ZipEntry>): Promise<string> {
  const path = join(folder, name);
  await using file = await open(path, 'w');
  let at = 0;
  let pending: Uint8Array[] = [];
  const write = async () => {
    const bytes = Buffer.concat(pending);
    await file.write(bytes, 0, bytes.length, at);
    at += bytes.length;
    pending = [];
  };
  for await (const chunk of writeZip(each(entries), MODIFIED)) {
    if (chunk !== BLOCK) pending.push(chunk);
    else {
      await write();
      at += BLOCK.length;
    }
  }
  await write();
  return path;
}

async function entriesOf(path: string): Promise<Entry[]> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  const entries = await Array.fromAsync(zip.eachEntry());
  zip.close();
  return entries;
}

async function textOf(path: string, name: string): Promise<string> {
  const zip = await openPromise(path, { lazyEntries: true, autoClose: false });
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName !== name) continue;
    const chunks = await Array.fromAsync(await zip.openReadStreamPromise(entry));
    zip.close();
    const bytes = Buffer.concat(chunks as Buffer[]);
    expect(entry.crc32).toBe(crc32(bytes));
    return bytes.toString();
  }
  throw new Error(`There is no ${name}.`);
}

test('another program reads what was written', async () => {
  const lines = Array.from({ length: 5000 }, (_, line) => JSON.stringify({ line, name: 'Zoë' }));
  const path = await zipFile('small.zip', [
    storedEntry('head.json', Buffer.from('{}')),
    storedEntry('images/1.jpg', Buffer.alloc(200_000, 1), Buffer.alloc(10, 2)),
    await linesEntry('pages/000001/images.jsonl', lines),
    await linesEntry('models.jsonl', []),
    storedEntry('pages/000001/vectors.f32'),
  ]);
  expect(await textOf(path, 'images/1.jpg')).toHaveLength(200_010);
  expect(await textOf(path, 'pages/000001/images.jsonl')).toBe(`${lines.join('\n')}\n`);
  expect(await textOf(path, 'models.jsonl')).toBe('');
  const entries = await entriesOf(path);
  expect(
    entries.map((entry) => [
      entry.fileName,
      entry.uncompressedSize,
      entry.compressionMethod,
      entry.externalFileAttributes >>> 16,
      entry.getLastModDate({ timezone: 'UTC' }).toISOString(),
    ]),
  ).toEqual([
    ['head.json', 2, 0, 0o100644, MODIFIED.toISOString()],
    ['images/1.jpg', 200_010, 0, 0o100644, MODIFIED.toISOString()],
    ['pages/000001/images.jsonl', expect.any(Number), 8, 0o100644, MODIFIED.toISOString()],
    ['models.jsonl', 0, 8, 0o100644, MODIFIED.toISOString()],
    ['pages/000001/vectors.f32', 0, 0, 0o100644, MODIFIED.toISOString()],
  ]);
  expect(entries[2]!.compressedSize).toBeLessThan(entries[2]!.uncompressedSize / 5);
});

test('a ZIP without files is valid', async () => {
  expect(await entriesOf(await zipFile('empty.zip', []))).toEqual([]);
});

test('files beyond 4 GiB can be read', async () => {
  const large: Omit<ZipEntry, 'name'> = {
    method: 'stored',
    crc: 0,
    size: 48 * BLOCK.length,
    chunks: Array.from({ length: 48 }, () => BLOCK),
  };
  const path = await zipFile('far.zip', [
    { name: 'first', ...large },
    { name: 'second', ...large },
    storedEntry('far', Buffer.from('text')),
  ]);
  expect((await entriesOf(path)).map(({ fileName }) => fileName)).toEqual([
    'first',
    'second',
    'far',
  ]);
  expect(await textOf(path, 'far')).toBe('text');
});

test('a ZIP may contain more than 65,535 files', async () => {
  const count = 66_000;
  const path = await zipFile(
    'many.zip',
    Array.from({ length: count }, (_, index) => storedEntry(`crops/${index}.jpg`)),
  );
  const zip = await fromBufferPromise(await readFile(path), { lazyEntries: true });
  const entries = await Array.fromAsync(zip.eachEntry());
  expect(entries).toHaveLength(count);
  expect(entries.at(-1)!.fileName).toBe(`crops/${count - 1}.jpg`);
});

test('entries are requested only when the reader needs them, and end when the reader stops', async () => {
  const taken: string[] = [];
  async function* entries(): AsyncGenerator<ZipEntry> {
    try {
      for (const name of ['a', 'b', 'c']) {
        taken.push(name);
        yield await Promise.resolve(storedEntry(name, Buffer.from(name)));
      }
    } finally {
      taken.push('ended');
    }
  }
  for await (const chunk of writeZip(entries(), MODIFIED)) {
    expect(Buffer.from(chunk).toString('latin1', 0, 2)).toBe('PK');
    if (taken.length === 2) break;
  }
  expect(taken).toEqual(['a', 'b', 'ended']);
});
