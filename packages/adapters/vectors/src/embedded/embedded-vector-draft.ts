import type {
  VectorIndexDraft,
  VectorPoint,
  VectorSpace,
} from '@sightline/core/vectors/vector-index';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import { sendPoints } from './vector-requests.ts';
import type { VectorThread } from './vector-thread.ts';

/** A new index, which is filled in a second worker thread and then replaces the published index. */
export class EmbeddedVectorDraft implements VectorIndexDraft {
  readonly #thread: VectorThread;
  readonly #onPublish: (thread: VectorThread) => void;
  #state: 'open' | 'published' | 'discarded' = 'open';

  /** @param onPublish takes ownership of the thread */
  constructor(thread: VectorThread, onPublish: (thread: VectorThread) => void) {
    this.#thread = thread;
    this.#onPublish = onPublish;
  }

  async upsert(
    space: VectorSpace,
    points: readonly VectorPoint[],
    signal?: AbortSignal,
  ): Promise<void> {
    await sendPoints(this.#openThread(signal), { space, points }, signal);
  }

  async remove(space: VectorSpace, ids: readonly number[], signal?: AbortSignal): Promise<void> {
    const thread = this.#openThread(signal);
    await thread.call({ do: 'remove', space, ids: Float64Array.from(ids) }, { signal });
  }

  async dropEnvironment(environmentId: number, signal?: AbortSignal): Promise<void> {
    await this.#openThread(signal).call({ do: 'dropEnvironment', environmentId }, { signal });
  }

  publish(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const thread = this.#openThread(signal);
      if (!thread.alive) throw new VectorsUnavailable('The vector index was lost.');
      this.#state = 'published';
      this.#onPublish(thread);
      resolve();
    });
  }

  async discard(): Promise<void> {
    if (this.#state === 'published') return;
    this.#state = 'discarded';
    await this.#thread.close();
  }

  get isOpen(): boolean {
    return this.#state === 'open';
  }

  #openThread(signal: AbortSignal | undefined): VectorThread {
    signal?.throwIfAborted();
    if (this.#state === 'open') return this.#thread;
    throw new VectorsUnavailable(`This draft of the vector index is ${this.#state}.`);
  }
}
