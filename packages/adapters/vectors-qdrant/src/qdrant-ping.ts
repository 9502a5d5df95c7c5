import { QdrantConnection } from './qdrant-connection.ts';
import type { QdrantOptions } from './qdrant-options.ts';

/** Asks a Qdrant for nothing but an answer, over connections of its own. */
export class QdrantPing {
  readonly #connection: QdrantConnection;

  /** @throws RangeError if the API key cannot be sent */
  constructor(server: Pick<QdrantOptions, 'url' | 'apiKey' | 'timeouts'>) {
    this.#connection = new QdrantConnection(server);
  }

  /** @throws VectorsUnavailable, also for a refusal; the signal's reason on abort */
  async ping(signal: AbortSignal): Promise<void> {
    const limits = this.#connection.limits('read', signal);
    // What every other question begins with, and small.
    await this.#connection.ask((api, init) => api.getCollectionsAliases({}, init), limits);
  }
}
