import { join } from 'node:path';
import type { PackStore } from '@sightline/core/models/pack-store';
import type { CheckedPack } from './check-pack.ts';
import { openLocalFile } from './open-local-file.ts';

export interface PackLocation {
  /** The folder of the pack. */
  readonly directory: string;
  readonly store: PackStore;
  /** Opens a file of the folder; the default throws the system's errors. */
  readonly open?: typeof openLocalFile;
}

/**
 * Copies a checked pack into a store. Stores the manifest last, so that a pack with a manifest has all its files.
 *
 * @throws StoreUnavailable; the errors of the files; the signal's reason on abort
 */
export async function storePack(
  { model, manifest, files }: CheckedPack,
  { directory, store, open = openLocalFile }: PackLocation,
  signal: AbortSignal,
): Promise<void> {
  for (const { name, sha256 } of files) {
    await using file = await open(join(directory, name));
    await store.putFile(sha256, file, signal);
  }
  await store.putManifest(model.revision, manifest, signal);
}
