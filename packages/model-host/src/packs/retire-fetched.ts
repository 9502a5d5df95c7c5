import type { PackStore } from '@sightline/core/models/pack-store';
import { parseManifest } from '@sightline/engine/packs/manifest';
import { packFiles } from '@sightline/engine/packs/pack-files';
import type { CacheFolder } from '@sightline/model-downloads/cache-folder';
import { retireEntries } from '../retire-entries.ts';

/** The folder of a fetched pack: its revision. */
const HOME = /^[0-9a-f]{64}$/;

export interface RetireFetchedDeps {
  readonly cache: CacheFolder;
  /** Null: what is here may be the only copy. */
  readonly store: Pick<PackStore, 'readManifest' | 'hasFile'> | null;
}

/**
 * Deletes packs in the cache that were fetched from the store of packs, a week after they were wanted last:
 * they can be fetched again. What the store does not have any more stays.
 *
 * @param wanted the revisions that this process has, or is to have
 * @param now milliseconds since 1970
 */
export async function retireFetched(
  { cache, store }: RetireFetchedDeps,
  wanted: readonly string[],
  now = Date.now(),
): Promise<void> {
  if (store === null) return;
  const retiring = { folder: 'fetched', names: HOME, used: new Set(wanted) };
  await retireEntries(cache, { ...retiring, mayGo: (revision) => isIn(store, revision) }, now);
}

/** Whether a store has all files of a pack. Its errors are those of the store, or of a manifest that is none. */
async function isIn(
  store: NonNullable<RetireFetchedDeps['store']>,
  revision: string,
): Promise<boolean> {
  const text = await store.readManifest(revision);
  if (text === null) return false;
  for (const { sha256 } of packFiles(parseManifest(text))) {
    if (!(await store.hasFile(sha256))) return false;
  }
  return true;
}
