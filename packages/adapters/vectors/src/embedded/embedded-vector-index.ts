import type {
  IdentityHit,
  IndexedEntry,
  PointHit,
  VectorIndex,
  VectorIndexState,
  VectorPoint,
  VectorQuery,
  VectorSpace,
} from '@sightline/core/vectors/vector-index';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import { EmbeddedVectorDraft } from './embedded-vector-draft.ts';
import { packQuery, requireLimit, sendPoints } from './vector-requests.ts';
import { VectorThread } from './vector-thread.ts';

const SCRIPT = new URL('./vector-worker.ts', import.meta.url);

export interface EmbeddedVectorIndexOptions {
  /** Called when the published index is lost. The index then stays incomplete until another draft is published. */
  readonly onLost?: (reason: Error) => void;
  /** The module of the worker threads, which tests replace. */
  readonly script?: URL;
}

/**
 * A vector index in the memory of a worker thread. The results are exact, because a search compares the query with
 * every vector of the space, in float32. The index starts incomplete and is not persisted. Each draft has its own
 * thread, which replaces the current thread when the draft is published.
 *
 * Callers may modify vectors as soon as a method has returned its promise.
 */
export class EmbeddedVectorIndex implements VectorIndex, AsyncDisposable {
  readonly #options: EmbeddedVectorIndexOptions;
  /** The thread of the published index; null until a draft is published. */
  #thread: VectorThread | null = null;
  #draft: EmbeddedVectorDraft | null = null;
  /** The replaced threads that still process requests. */
  readonly #retiring = new Set<Promise<void>>();
  #closed = false;

  constructor(options: EmbeddedVectorIndexOptions = {}) {
    this.#options = options;
  }

  async upsert(
    space: VectorSpace,
    points: readonly VectorPoint[],
    signal?: AbortSignal,
  ): Promise<void> {
    await sendPoints(this.#complete(signal), { space, points }, signal);
  }

  async remove(space: VectorSpace, ids: readonly number[], signal?: AbortSignal): Promise<void> {
    const request = { do: 'remove', space, ids: Float64Array.from(ids) } as const;
    await this.#complete(signal).call(request, { signal });
  }

  async searchIdentities(
    space: VectorSpace,
    query: VectorQuery,
    signal?: AbortSignal,
  ): Promise<readonly (readonly IdentityHit[])[]> {
    const request = { do: 'searchIdentities', ...packQuery(space, query) } as const;
    return this.#complete(signal).call(request, { transfer: [request.vectors.buffer], signal });
  }

  async searchPoints(
    space: VectorSpace,
    query: VectorQuery,
    signal?: AbortSignal,
  ): Promise<readonly (readonly PointHit[])[]> {
    const request = { do: 'searchPoints', ...packQuery(space, query) } as const;
    return this.#complete(signal).call(request, { transfer: [request.vectors.buffer], signal });
  }

  async list(
    space: VectorSpace,
    { after, limit }: { readonly after: number; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<readonly IndexedEntry[]> {
    requireLimit(limit);
    return this.#complete(signal).call({ do: 'list', space, after, limit }, { signal });
  }

  async dropEnvironment(environmentId: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    const draft = this.#draft?.isOpen ? this.#draft : null;
    await draft?.dropEnvironment(environmentId, signal);
    if (this.#thread?.alive) {
      await this.#thread.call({ do: 'dropEnvironment', environmentId }, { signal });
    }
  }

  state(): Promise<VectorIndexState> {
    if (this.#closed) return Promise.resolve('unavailable');
    return Promise.resolve(this.#thread?.alive ? 'ready' : 'incomplete');
  }

  /** Checks the state of this process only. Fails if the thread was lost or closed, or the index was never filled. */
  async requireAnswer(signal?: AbortSignal): Promise<void> {
    this.#requireOpen(signal);
    const { alive } = this.#complete(signal);
    if (!alive) throw new VectorsUnavailable('The vector index is down.');
    return Promise.resolve();
  }

  async begin(signal?: AbortSignal): Promise<EmbeddedVectorDraft> {
    this.#requireOpen(signal);
    await this.#draft?.discard();
    const thread = await this.#start();
    const draft = new EmbeddedVectorDraft(thread, () => this.#publish(thread));
    this.#draft = draft;
    try {
      this.#requireOpen(signal);
      return draft;
    } catch (error) {
      await draft.discard();
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await Promise.all([this.#draft?.discard(), this.#thread?.close(), ...this.#retiring]);
  }

  /** @throws VectorsUnavailable; the signal's reason on abort */
  #requireOpen(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (this.#closed) throw new VectorsUnavailable('The vector index is down.');
  }

  /** @throws VectorsUnavailable; the signal's reason on abort */
  #complete(signal: AbortSignal | undefined): VectorThread {
    signal?.throwIfAborted();
    if (this.#thread !== null) return this.#thread;
    throw new VectorsUnavailable('The vector index is being built; try again in a moment.');
  }

  async #start(): Promise<VectorThread> {
    const thread: VectorThread = await VectorThread.start({
      script: this.#options.script ?? SCRIPT,
      onLost: (reason) => {
        if (this.#thread === thread) this.#options.onLost?.(reason);
      },
    });
    return thread;
  }

  #publish(thread: VectorThread): void {
    const previous = this.#thread;
    this.#thread = thread;
    this.#draft = null;
    if (previous === null) return;
    const retirement = previous.retire().finally(() => this.#retiring.delete(retirement));
    this.#retiring.add(retirement);
  }
}
