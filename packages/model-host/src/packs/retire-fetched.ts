import type { PackStore } from '@sightline/core/models/pack-store';
import { parseManifest } from '@sightline/engine/packs/manifest';
import { packFiles } from '@sightline/engine/packs/pack-files';
import type { CacheFolder } from '@sightline/model-downloads/cache-folder';
import { retireEntries } from '../retire-entries.ts';

/** The name of a fetched pack's folder, which is the pack's revision. */
const HOME = /^[0-9a-f]{64}$/;

export interface RetireFetchedDeps {
  readonly cache: CacheFolder;
  /** If the store is null, nothing is deleted, because the cache may have the only copy. */
  readonly store: Pick<PackStore, 'readManifest' | 'hasFile'> | null;
}

/**
 * Deletes packs in the cache that were fetched from the store of packs, a week after their last
 * use. A pack that the store no longer has stays, because it could not be fetched again.
 *
 * @param used the revisions that this process uses or is to use
 * @param now milliseconds since 1970
 */
export async function retireFetched(
  { cache, store }: RetireFetchedDeps,
  used: readonly string[],
  now = Date.now(),
): Promise<void> {
  if (store === null) return;
  const retiring = { folder: 'fetched', names: HOME, used: new Set(used) };
  await retireEntries(cache, { ...retiring, mayDelete: (revision) => isIn(store, revision) }, now);
}

/**
 * Returns whether a store has all files of a pack. Rejects with the errors of the store, or with
 * the error of an invalid manifest.
 */
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
