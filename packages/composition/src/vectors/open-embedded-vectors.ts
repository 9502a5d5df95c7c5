import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import { EmbeddedVectorIndex } from '@sightline/vectors-embedded/embedded-vector-index';
import type { Watchers } from '../watch-service.ts';

/** The index of faces in the memory of this process; whoever keeps it in step fills it first. */
export function openEmbeddedVectors({ logger }: Watchers): VectorIndex & AsyncDisposable {
  return new EmbeddedVectorIndex({
    onLost: (reason) => {
      logger.error({ err: reason }, 'the index of faces was lost and is filled anew');
    },
  });
}
