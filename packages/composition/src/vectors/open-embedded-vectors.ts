import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import { EmbeddedVectorIndex } from '@sightline/vectors/embedded/embedded-vector-index';
import type { DependencyObservers } from '../watch-service.ts';

/** Opens an empty vector index in the memory of this process. The worker role fills it. */
export function openEmbeddedVectors({
  logger,
}: DependencyObservers): VectorIndex & AsyncDisposable {
  return new EmbeddedVectorIndex({
    onLost: (reason) => {
      logger.error({ err: reason }, 'the vector index was lost; rebuilding it');
    },
  });
}
