import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import type { QdrantSettings } from '@sightline/platform/config/read-qdrant-settings';
import { QdrantPing } from '@sightline/vectors-qdrant/qdrant-ping';
import { QdrantVectorIndex } from '@sightline/vectors-qdrant/qdrant-vector-index';
import { type Watchers, watchService } from '../watch-service.ts';

/**
 * The index of faces in a Qdrant. Nobody waits for it: without it matching alone is refused.
 *
 * @param installation its id
 */
export function openQdrant(
  { url, apiKey, shards, replicas }: QdrantSettings,
  installation: string,
  watchers: Watchers,
): VectorIndex & Disposable {
  const server = { url, ...(apiKey !== null && { apiKey }) };
  // Past the guard, to see whether the server answers.
  const connection = new QdrantPing(server);
  const ping = (signal: AbortSignal) => connection.ping(signal);
  using opening = new DisposableStack();
  const service = { name: 'vectors', ping, unavailable };
  const { guard, requireAnswer } = opening.use(watchService(service, watchers));
  const { logger } = watchers;
  const index = new QdrantVectorIndex({
    ...{ ...server, shards, replicas, logger, guard, requireAnswer },
    installation,
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
