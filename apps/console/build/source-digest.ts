import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '../../..');
const SOURCES = ['apps/console', 'packages/contracts/src', 'package-lock.json'];
/** Tests do not change a build, and packages change with the lockfile. */
const PASSED_OVER = /(^|\/)node_modules\/|\.test\.tsx?$/;

/** The digest of all files that a build of the console depends on, in hexadecimal digits. */
export async function sourceDigest(): Promise<string> {
  const files = (await Promise.all(SOURCES.map(filesAt))).flat().sort();
  const contents = await Promise.all(files.map((path) => readFile(join(ROOT, path))));
  const hash = createHash('sha256');
  for (const [index, path] of files.entries()) {
    hash.update(`${path}\0${contents[index]!.length}\0`).update(contents[index]!);
  }
  return hash.digest('hex').slice(0, 32);
}

async function filesAt(source: string): Promise<string[]> {
  if (source.endsWith('.json')) return [source];
  const entries = await readdir(join(ROOT, source), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)))
    .filter((path) => !PASSED_OVER.test(path));
}
