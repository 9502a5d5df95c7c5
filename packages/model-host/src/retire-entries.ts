import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CacheFolder } from '@sightline/model-downloads/cache-folder';

/** The time in ms for which another process that shares the cache may need an entry without marking it. */
const GRACE_MS = 7 * 24 * 60 * 60 * 1000;

/** A file beside an entry: since when no process that looked needed it. */
const UNUSED = '.unused';

export interface Retiring {
  /** The cache's path; it has a folder for each entry. */
  readonly folder: string;
  /** The names of entries; others are left alone. */
  readonly names: RegExp;
  readonly used: ReadonlySet<string>;
  /** Asked before an entry is deleted. */
  readonly mayGo?: (name: string) => Promise<boolean>;
}

/**
 * Deletes entries of a cache that are not used: a call marks them, and the first one a week later deletes
 * them, unless a process that uses them has called since. What cannot be deleted, as in a cache that is
 * read-only, stays.
 *
 * @param now milliseconds since 1970
 */
export async function retireEntries(
  cache: CacheFolder,
  { folder, names, used, mayGo = () => Promise.resolve(true) }: Retiring,
  now: number,
): Promise<void> {
  const entries = await readdir(cache.pathOf(folder)).catch(() => []);
  for (const name of entries.filter((each) => names.test(each))) {
    const home = join(cache.pathOf(folder), name);
    const step = used.has(name)
      ? keepEntry(home)
      : retire(cache, { home, mayGo: () => mayGo(name) }, now);
    await step.catch(() => undefined);
  }
}

/** Keeps an entry that is about to be used for another week, whatever was known of it. */
export async function keepEntry(home: string): Promise<void> {
  // A cache that is read-only has no marks.
  await rm(home + UNUSED, { force: true }).catch(() => undefined);
}

interface Unused {
  readonly home: string;
  readonly mayGo: () => Promise<boolean>;
}

async function retire(cache: CacheFolder, { home, mayGo }: Unused, now: number): Promise<void> {
  const mark = home + UNUSED;
  const since = await stat(mark).catch(() => null);
  if (since === null) {
    await writeFile(mark, '');
    return;
  }
  if (now - since.mtimeMs < GRACE_MS || !(await mayGo())) return;
  // An entry disappears as it appears: whole.
  const aside = await cache.temporaryPath();
  await rename(home, aside);
  await rm(mark, { force: true });
  await rm(aside, { recursive: true, force: true });
}
