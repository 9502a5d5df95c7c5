import { setTimeout as sleep } from 'node:timers/promises';
import type { IndexSource } from '@sightline/core/vectors/index-source';
import { loadIndex } from '@sightline/core/vectors/load-index';
import type { VectorIndex } from '@sightline/core/vectors/vector-index';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import type { Logger } from '@sightline/platform/logging/logger';
import { EmbeddedVectorIndex } from '@sightline/vectors-embedded/embedded-vector-index';

export interface ReloadingVectorIndexDeps {
  readonly source: IndexSource;
  readonly logger: Logger;
}

const RETRY_MS = 5_000;

/**
 * The index of this process, filled from the database. If its thread is lost another one is started
 * and filled; until then it is unavailable.
 */
export class ReloadingVectorIndex implements VectorIndex, AsyncDisposable {
  readonly #deps: ReloadingVectorIndexDeps;
  readonly #stop = new AbortController();
  /** Null while it is filled. */
  #index: EmbeddedVectorIndex | null = null;
  #filling: Promise<void> = Promise.resolve();

  /** @throws StoreUnavailable, VectorsUnavailable */
  static async open(deps: ReloadingVectorIndexDeps): Promise<ReloadingVectorIndex> {
    const index = new ReloadingVectorIndex(deps);
    await index.#fill();
    return index;
  }

  private constructor(deps: ReloadingVectorIndexDeps) {
    this.#deps = deps;
  }

  upsert: VectorIndex['upsert'] = (...call) => this.#run((index) => index.upsert(...call));
  remove: VectorIndex['remove'] = (...call) => this.#run((index) => index.remove(...call));
  list: VectorIndex['list'] = (...call) => this.#run((index) => index.list(...call));
  searchIdentities: VectorIndex['searchIdentities'] = (...call) =>
    this.#run((index) => index.searchIdentities(...call));
  searchPoints: VectorIndex['searchPoints'] = (...call) =>
    this.#run((index) => index.searchPoints(...call));
  dropEnvironment: VectorIndex['dropEnvironment'] = (...call) =>
    this.#run((index) => index.dropEnvironment(...call));
  begin: VectorIndex['begin'] = () => this.#run((index) => index.begin());
  state: VectorIndex['state'] = async () => (await this.#index?.state()) ?? 'incomplete';

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    await this.#filling;
    await this.#index?.[Symbol.asyncDispose]();
  }

  async #run<T>(call: (index: EmbeddedVectorIndex) => Promise<T>): Promise<T> {
    if (this.#index === null) {
      throw new VectorsUnavailable('The index of faces is being built; try again in a moment.');
    }
    return call(this.#index);
  }

  async #fill(): Promise<void> {
    const { source, logger } = this.#deps;
    const start = performance.now();
    const index = new EmbeddedVectorIndex({ onLost: (reason) => this.#replace(reason) });
    await (await index.begin()).publish();
    try {
      const vectors = await loadIndex({ source, index }, this.#stop.signal);
      const milliseconds = Math.round(performance.now() - start);
      logger.info({ vectors, milliseconds }, 'the index of faces is filled');
    } catch (error) {
      await index[Symbol.asyncDispose]();
      throw error;
    }
    this.#index = index;
  }

  #replace(reason: Error): void {
    this.#index = null;
    this.#deps.logger.error({ err: reason }, 'the index of faces was lost and is filled anew');
    this.#filling = this.#filling.then(() => this.#fillUntilItIs());
  }

  async #fillUntilItIs(): Promise<void> {
    const { signal } = this.#stop;
    while (this.#index === null && !isStopped(signal)) {
      try {
        await this.#fill();
      } catch (error) {
        if (isStopped(signal)) return;
        this.#deps.logger.warn({ err: error }, 'the index of faces could not be filled');
        await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
  }
}

function isStopped(signal: AbortSignal): boolean {
  return signal.aborted;
}
