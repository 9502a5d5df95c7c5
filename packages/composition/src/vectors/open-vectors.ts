import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import type { QdrantSettings } from '@sightline/platform/config/read-qdrant-settings';
import type { DependencyObservers } from '../watch-service.ts';

/**
 * Opens the vector index on a Qdrant server, or otherwise in the memory of this process. Loads only the adapter that is
 * used.
 *
 * @param installation the id of the installation
 */
export async function openVectors(
  qdrant: QdrantSettings | null,
  installation: string,
  observers: DependencyObservers,
): Promise<VectorIndex & (Disposable | AsyncDisposable)> {
  if (qdrant === null) {
    const { openEmbeddedVectors } = await import('./open-embedded-vectors.ts');
    return openEmbeddedVectors(observers);
  }
  const { openQdrant } = await import('./open-qdrant.ts');
  return openQdrant(qdrant, installation, observers);
}
