import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CacheFolder } from '@sightline/model-downloads/cache-folder';

/**
 * How long an entry stays after it was marked as unused, in ms: long enough for every process that shares the cache
 * and uses the entry to remove the mark.
 */
const GRACE_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * The suffix of the file next to an entry that marks it as unused. The file's time is when a process first found the
 * entry unused; a process that uses the entry deletes the file.
 */
const UNUSED = '.unused';

export interface Retiring {
  /** The folder's path in the cache. It contains a folder for each entry. */
  readonly folder: string;
  /** The pattern of the names of entries. Files with other names are never deleted. */
  readonly names: RegExp;
  readonly used: ReadonlySet<string>;
  /** Called before an entry is deleted. The entry stays if the result is false. */
  readonly mayDelete?: (name: string) => Promise<boolean>;
}

/**
 * Deletes entries of a cache that are not used. The first call marks an unused entry. A call at
 * least a week later deletes it, unless a process that uses the entry has called in between.
 * Entries that cannot be deleted, for example in a read-only cache, stay.
 *
 * @param now milliseconds since 1970
 */
export async function retireEntries(
  cache: CacheFolder,
  { folder, names, used, mayDelete = () => Promise.resolve(true) }: Retiring,
  now: number,
): Promise<void> {
  const entries = await readdir(cache.pathOf(folder)).catch(() => []);
  for (const name of entries.filter((each) => names.test(each))) {
    const home = join(cache.pathOf(folder), name);
    const step = used.has(name)
      ? keepEntry(home)
      : retire(cache, { home, mayDelete: () => mayDelete(name) }, now);
    await step.catch(() => undefined);
  }
}

/**
 * Removes the mark of an entry that is about to be used, so that the entry stays for at least
 * another week.
 */
export async function keepEntry(home: string): Promise<void> {
  // The error is ignored, because a read-only cache has no marks to remove.
  await rm(home + UNUSED, { force: true }).catch(() => undefined);
}

interface Unused {
  readonly home: string;
  readonly mayDelete: () => Promise<boolean>;
}

async function retire(cache: CacheFolder, { home, mayDelete }: Unused, now: number): Promise<void> {
  const mark = home + UNUSED;
  const since = await stat(mark).catch(() => null);
  if (since === null) {
    await writeFile(mark, '');
    return;
  }
  if (now - since.mtimeMs < GRACE_MS || !(await mayDelete())) return;
  // The entry is renamed first, so that it disappears atomically.
  const aside = await cache.temporaryPath();
  await rename(home, aside);
  await rm(mark, { force: true });
  await rm(aside, { recursive: true, force: true });
}
