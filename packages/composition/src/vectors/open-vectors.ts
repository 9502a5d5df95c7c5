import type { InstallationStore } from '@sightline/core/store/installation-store';
import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import type { QdrantSettings } from '@sightline/platform/config/read-qdrant-settings';
import type { Dependency } from '@sightline/platform/resilience/dependency';
import { EmbeddedVectorIndex } from '@sightline/vectors-embedded/embedded-vector-index';
import { QdrantVectorIndex } from '@sightline/vectors-qdrant/qdrant-vector-index';
import { type Watchers, watchService } from '../watch-service.ts';

/** The index of faces in the memory of this process; whoever keeps it in step fills it first. */
export function openEmbeddedVectors({ logger }: Watchers): VectorIndex & AsyncDisposable {
  return new EmbeddedVectorIndex({
    onLost: (reason) => {
      logger.error({ err: reason }, 'the index of faces was lost and is filled anew');
    },
  });
}

/** The index of faces in a Qdrant. Nobody waits for it: without it matching alone is refused. */
export async function openQdrant(
  { url, apiKey, shards, replicas }: QdrantSettings,
  installation: InstallationStore,
  watchers: Watchers,
): Promise<VectorIndex & Disposable> {
  const { id } = await installation.read();
  const { logger } = watchers;
  const options = {
    ...{ url, shards, replicas, logger, installation: id },
    ...(apiKey !== null && { apiKey }),
  };
  // One past the guard, to see whether the server answers.
  const pinged = new QdrantVectorIndex(options);
  const watch: Dependency = watchService(
    {
      name: 'vectors',
      ping: async (signal) => {
        if ((await pinged.state(signal)) === 'unavailable') throw unavailable(undefined);
      },
      unavailable,
    },
    watchers,
  );
  const index = new QdrantVectorIndex({ ...options, guard: watch.guard });
  return Object.assign(index, { [Symbol.dispose]: () => watch[Symbol.dispose]() });
}

function unavailable(cause: unknown): VectorsUnavailable {
  return new VectorsUnavailable(
    'The index of faces does not answer at the moment; try again.',
    {},
    { cause },
  );
}
