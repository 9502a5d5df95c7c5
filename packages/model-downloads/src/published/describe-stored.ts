import type { ActiveModel } from '@sightline/core/models/model';
import type { PackStore } from '@sightline/core/models/pack-store';
import { FileRefused } from '@sightline/engine/onnx/file-refused';
import { describePack } from '@sightline/engine/packs/describe-pack';
import { type PackManifest, parseManifest } from '@sightline/engine/packs/manifest';
import { packRevision } from '@sightline/engine/packs/revision';

/**
 * Describes a pack of a store by its manifest.
 *
 * @returns null if the store does not have it
 * @throws StoreUnavailable; the signal's reason on abort
 */
export async function describeStored(
  store: Pick<PackStore, 'readManifest'>,
  revision: string,
  signal?: AbortSignal,
): Promise<ActiveModel | null> {
  const manifest = await readStoredManifest(store, revision, signal);
  return manifest && describePack({ manifest, revision, directory: '' });
}

/** The manifest of a pack; null if it is missing, damaged or belongs to another revision. */
export async function readStoredManifest(
  store: Pick<PackStore, 'readManifest'>,
  revision: string,
  signal?: AbortSignal,
): Promise<PackManifest | null> {
  const manifest = parsed(await store.readManifest(revision, signal));
  return manifest === null || packRevision(manifest.components) !== revision ? null : manifest;
}

function parsed(text: string | null): PackManifest | null {
  if (text === null) return null;
  try {
    return parseManifest(text);
  } catch (error) {
    if (error instanceof FileRefused) return null;
    throw error;
  }
}
