import { readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { CacheFolder } from '@sightline/model-downloads/cache-folder';

/** Another version of Sightline that shares the cache may start for so long and find its packs. */
const GRACE_MS = 7 * 24 * 60 * 60 * 1000;

/** A file beside a pack: since when no version that started needed it. */
const UNUSED = '.unused';

/** The folder of an entry: the beginning of the digest of its manifest. */
const HOME = /^[0-9a-f]{16}$/;

/**
 * Deletes packs in the cache that only other versions of Sightline ship: a start marks them, and the first
 * start a week later deletes them, unless a version that needs them has started since. What cannot be
 * deleted, as in a cache that is read-only, stays.
 *
 * @param used the homes of the packs that this version ships
 * @param now milliseconds since 1970
 */
export async function retirePacks(
  cache: CacheFolder,
  used: readonly string[],
  now = Date.now(),
): Promise<void> {
  const packs = cache.pathOf('packs');
  const names = await readdir(packs).catch(() => []);
  const inUse = new Set(used.map((home) => basename(home)));
  for (const name of names.filter((each) => HOME.test(each))) {
    const home = join(packs, name);
    const step = inUse.has(name) ? rm(home + UNUSED, { force: true }) : retire(cache, home, now);
    await step.catch(() => undefined);
  }
}

async function retire(cache: CacheFolder, home: string, now: number): Promise<void> {
  const mark = home + UNUSED;
  const since = await stat(mark).catch(() => null);
  if (since === null) {
    await writeFile(mark, '');
    return;
  }
  if (now - since.mtimeMs < GRACE_MS) return;
  // A pack disappears as it appears: whole.
  const aside = await cache.temporaryPath();
  await rename(home, aside);
  await rm(mark, { force: true });
  await rm(aside, { recursive: true, force: true });
}
