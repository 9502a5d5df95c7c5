import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import type { QdrantSettings } from '@sightline/platform/config/read-qdrant-settings';
import { QdrantPing } from '@sightline/vectors/qdrant/qdrant-ping';
import { QdrantVectorIndex } from '@sightline/vectors/qdrant/qdrant-vector-index';
import { type DependencyObservers, watchService } from '../watch-service.ts';

/**
 * Opens the vector index on a Qdrant server. Does not wait for the server, because only matching needs it.
 *
 * @param installation the id of the installation
 */
export function openQdrant(
  { url, apiKey, shards, replicas }: QdrantSettings,
  installation: string,
  observers: DependencyObservers,
): VectorIndex & Disposable {
  const server = { url, ...(apiKey !== null && { apiKey }) };
  const connection = new QdrantPing(server);
  const ping = (signal: AbortSignal) => connection.ping(signal);
  using opening = new DisposableStack();
  const service = { name: 'vectors', ping, unavailable };
  const { guard, requireAnswer } = opening.use(watchService(service, observers));
  const index = new QdrantVectorIndex({
    ...server,
    shards,
    replicas,
    installation,
    logger: observers.logger,
    guard,
    requireAnswer,
  });
  const resources = opening.move();
  return Object.assign(index, { [Symbol.dispose]: () => resources.dispose() });
}

function unavailable(cause: unknown): VectorsUnavailable {
  return new VectorsUnavailable(
    'The index of faces does not answer at the moment; try again.',
    {},
    { cause },
  );
}
