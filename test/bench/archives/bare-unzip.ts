/*
 * The bare loop that an import is compared with: it reads the ZIP file `argv[2]`, compares checksums, and
 * writes each of its files into the folder `argv[3]`, several at a time. It flushes them to disk, as the
 * service does.
 */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { forEachConcurrently } from '@sightline/core/concurrency/for-each-concurrently';
import { IMAGES_AT_A_TIME } from '@sightline/core/transfer/import-archive';
import { readDirectory } from '@sightline/archive-zip/zip-reading/read-directory';
import { readWhole } from '@sightline/archive-zip/zip-reading/read-entry';
import type { ZipEntry } from '@sightline/archive-zip/zip-reading/zip-entry';
import { FACES } from './plant-images.ts';

/** The number of files that an import writes at the same time: the picture and the crops of each image. */
const FILES_AT_A_TIME = IMAGES_AT_A_TIME * (1 + FACES);

const [archive, folder] = process.argv.slice(2) as [string, string];
await using file = await open(archive);
const { size } = await file.stat();
const zip = {
  size,
  read: async (range: { readonly offset: number; readonly size: number }) => {
    const bytes = new Uint8Array(range.size);
    await file.read(bytes, 0, range.size, range.offset);
    return bytes;
  },
};
const entries = await readDirectory(zip, { maxBytes: size * 2, maxEntries: Infinity });
let next = 0;
await forEachConcurrently(
  Readable.from(entries.values()),
  FILES_AT_A_TIME,
  async (entry: ZipEntry) => {
    await using written = await open(join(folder, `${next++}`), 'wx', 0o600);
    await written.writeFile(await readWhole(zip, entry, size));
    await written.sync();
  },
);
