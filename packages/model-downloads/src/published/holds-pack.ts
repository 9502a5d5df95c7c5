import { createHash } from 'node:crypto';
import type { FetchOptions } from '@sightline/core/models/model-source';
import type { PackStore } from '@sightline/core/models/pack-store';
import { packFiles } from '@sightline/engine/packs/pack-files';
import { readStoredManifest } from './describe-stored.ts';

/**
 * Whether a store has all files of a pack, with bytes that match their digests.
 *
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function holdsPack(
  store: PackStore,
  revision: string,
  { onProgress, signal }: FetchOptions,
): Promise<boolean> {
  const manifest = await readStoredManifest(store, revision, signal);
  if (manifest === null) return false;
  let received = 0;
  for (const { sha256 } of packFiles(manifest)) {
    const file = await store.openFile(sha256, signal);
    if (file === null) return false;
    const hash = createHash('sha256');
    for await (const chunk of file.body) {
      hash.update(chunk);
      received += chunk.length;
      onProgress({ received, total: null });
    }
    if (hash.digest('hex') !== sha256) return false;
  }
  return true;
}
