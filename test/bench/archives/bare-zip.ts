/*
 * The bare loop that an export is compared with: it reads the files whose paths come on stdin, and writes
 * them as a ZIP to stdout, one after the other.
 */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { text } from 'node:stream/consumers';
import { writeZip } from '@sightline/archive-zip/write-zip';
import { storedEntry, type ZipEntry } from '@sightline/archive-zip/zip-entry';

async function* entries(paths: readonly string[]): AsyncGenerator<ZipEntry> {
  for (const path of paths) yield storedEntry(basename(path), await readFile(path));
}

const paths = (await text(process.stdin)).split('\n');
await pipeline(writeZip(entries(paths), new Date()), process.stdout);
