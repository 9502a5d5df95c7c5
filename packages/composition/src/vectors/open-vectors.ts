import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import type { QdrantSettings } from '@sightline/platform/config/read-qdrant-settings';
import type { Watchers } from '../watch-service.ts';

/**
 * Opens the index of faces: in a Qdrant if one is given, else in the memory of this process. Only the
 * adapter that is used is loaded.
 *
 * @param installation its id
 */
export async function openVectors(
  qdrant: QdrantSettings | null,
  installation: string,
  watchers: Watchers,
): Promise<VectorIndex & (Disposable | AsyncDisposable)> {
  if (qdrant === null) {
    const { openEmbeddedVectors } = await import('./open-embedded-vectors.ts');
    return openEmbeddedVectors(watchers);
  }
  const { openQdrant } = await import('./open-qdrant.ts');
  return openQdrant(qdrant, installation, watchers);
}
