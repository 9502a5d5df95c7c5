import { QdrantConnection } from './qdrant-connection.ts';
import type { QdrantOptions } from './qdrant-options.ts';

/** Sends a minimal request to Qdrant, over connections of its own. */
export class QdrantPing {
  readonly #connection: QdrantConnection;

  /** @throws RangeError if the API key is not a valid header value */
  constructor(server: Pick<QdrantOptions, 'url' | 'apiKey' | 'timeouts'>) {
    this.#connection = new QdrantConnection(server);
  }

  /** @throws VectorsUnavailable if there is no answer or an error response; the signal's reason on abort */
  async ping(signal: AbortSignal): Promise<void> {
    const limits = this.#connection.limits('read', signal);
    // This request is used, because every other operation begins with it and its response is small.
    await this.#connection.request((api, init) => api.getCollectionsAliases({}, init), limits);
  }
}
