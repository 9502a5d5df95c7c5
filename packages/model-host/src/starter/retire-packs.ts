import { basename } from 'node:path';
import type { CacheFolder } from '@sightline/model-downloads/cache-folder';
import { retireEntries } from '../retire-entries.ts';

/** The name of an entry's folder: the beginning of the digest of the entry's manifest. */
const HOME = /^[0-9a-f]{16}$/;

/**
 * Deletes packs in the cache that only other versions of Sightline ship. A pack is deleted a week
 * after the first start without it, unless a version that needs it has started in between.
 *
 * @param used the folders of the packs that this version ships
 * @param now milliseconds since 1970
 */
export async function retirePacks(
  cache: CacheFolder,
  used: readonly string[],
  now = Date.now(),
): Promise<void> {
  const names = new Set(used.map((home) => basename(home)));
  await retireEntries(cache, { folder: 'packs', names: HOME, used: names }, now);
}
