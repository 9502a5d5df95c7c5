import type {
  IdentityHit,
  PointHit,
  VectorIndex,
  VectorIndexDraft,
  VectorIndexState,
  VectorPoint,
  VectorQuery,
  VectorSpace,
} from '@sightline/core/vectors/vector-index';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import type { PackedPoints } from './space-points.ts';
import { SEGMENT_BYTES } from './vector-memory.ts';
import type { PackedQuery } from './vector-protocol.ts';
import { VectorThread } from './vector-thread.ts';

const SCRIPT = new URL('./vector-worker.ts', import.meta.url);
/** A segment holds one such vector. */
const LONGEST_DIMENSION = SEGMENT_BYTES / Float32Array.BYTES_PER_ELEMENT;

export interface EmbeddedVectorIndexOptions {
  /** Called once if the index is lost: it stays so, and another is to be opened and filled. */
  readonly onLost?: (reason: Error) => void;
}

/**
 * An index in the memory of one worker thread. It is exact: every search compares with every vector
 * of the space, in float32. It starts empty and forgets everything at its end.
 *
 * Vectors may be changed once a call has returned its promise.
 */
export class EmbeddedVectorIndex implements VectorIndex, AsyncDisposable {
  #thread: VectorThread;
  readonly #onLost: EmbeddedVectorIndexOptions['onLost'];
  #draft: EmbeddedVectorIndex | null = null;

  /** @throws VectorsUnavailable if the thread does not start */
  static async open({ onLost }: EmbeddedVectorIndexOptions = {}): Promise<EmbeddedVectorIndex> {
    return new EmbeddedVectorIndex(await VectorThread.start({ script: SCRIPT, onLost }), onLost);
  }

  private constructor(thread: VectorThread, onLost: EmbeddedVectorIndexOptions['onLost']) {
    this.#thread = thread;
    this.#onLost = onLost;
  }

  async upsert(
    space: VectorSpace,
    points: readonly VectorPoint[],
    signal?: AbortSignal,
  ): Promise<void> {
    const packed = packPoints(space, points);
    const transfer = [packed.ids.buffer, packed.identityIds.buffer, packed.vectors.buffer];
    await this.#thread.call({ do: 'upsert', space, points: packed }, { transfer, signal });
  }

  async remove(space: VectorSpace, ids: readonly number[], signal?: AbortSignal): Promise<void> {
    await this.#thread.call({ do: 'remove', space, ids: Float64Array.from(ids) }, { signal });
  }

  async searchIdentities(
    space: VectorSpace,
    query: VectorQuery,
    signal?: AbortSignal,
  ): Promise<readonly (readonly IdentityHit[])[]> {
    const request = { do: 'searchIdentities', ...packQuery(space, query) } as const;
    return this.#thread.call(request, { transfer: [request.vectors.buffer], signal });
  }

  async searchPoints(
    space: VectorSpace,
    query: VectorQuery,
    signal?: AbortSignal,
  ): Promise<readonly (readonly PointHit[])[]> {
    const request = { do: 'searchPoints', ...packQuery(space, query) } as const;
    return this.#thread.call(request, { transfer: [request.vectors.buffer], signal });
  }

  async list(
    space: VectorSpace,
    { after, limit }: { readonly after: number; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<readonly Omit<VectorPoint, 'vector'>[]> {
    requireLimit(limit);
    return this.#thread.call({ do: 'list', space, after, limit }, { signal });
  }

  async dropEnvironment(environmentId: number, signal?: AbortSignal): Promise<void> {
    await this.#thread.call({ do: 'dropEnvironment', environmentId }, { signal });
  }

  state(): Promise<VectorIndexState> {
    return Promise.resolve(this.#thread.alive ? 'ready' : 'incomplete');
  }

  async begin(): Promise<VectorIndexDraft> {
    await this.#draft?.[Symbol.asyncDispose]();
    const draft = await EmbeddedVectorIndex.open({ onLost: this.#onLost });
    this.#draft = draft;
    return {
      upsert: (space, points, signal) => draft.upsert(space, points, signal),
      remove: (space, ids, signal) => draft.remove(space, ids, signal),
      publish: () => this.#publish(draft),
      discard: () => this.#discard(draft),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#draft?.[Symbol.asyncDispose]();
    await this.#thread.close();
  }

  /** @throws VectorsUnavailable if the draft was given up or lost */
  async #publish(draft: EmbeddedVectorIndex): Promise<void> {
    if (this.#draft !== draft || !draft.#thread.alive) {
      throw new VectorsUnavailable('The draft of the index was given up.');
    }
    const before = this.#thread;
    this.#thread = draft.#thread;
    this.#draft = null;
    await before.close();
  }

  async #discard(draft: EmbeddedVectorIndex): Promise<void> {
    if (this.#draft !== draft) return;
    this.#draft = null;
    await draft[Symbol.asyncDispose]();
  }
}

function packQuery(space: VectorSpace, { vectors, limit }: VectorQuery): PackedQuery {
  requireLimit(limit);
  return { space, vectors: packVectors(space, vectors), limit };
}

function packPoints(space: VectorSpace, points: readonly VectorPoint[]): PackedPoints {
  return {
    ids: Float64Array.from(points, ({ id }) => id),
    identityIds: Float64Array.from(points, ({ identityId }) => identityId ?? NaN),
    vectors: packVectors(
      space,
      points.map(({ vector }) => vector),
    ),
  };
}

function packVectors(
  { dimension }: VectorSpace,
  vectors: readonly Float32Array[],
): Float32Array<ArrayBuffer> {
  if (!(dimension >= 1 && dimension <= LONGEST_DIMENSION)) {
    throw new RangeError(`Vectors of ${dimension} values cannot be indexed.`);
  }
  const packed = new Float32Array(vectors.length * dimension);
  for (const [index, vector] of vectors.entries()) {
    if (vector.length !== dimension) {
      throw new RangeError(`A vector of ${vector.length} values is none of ${dimension}.`);
    }
    packed.set(vector, index * dimension);
  }
  return packed;
}

function requireLimit(limit: number): void {
  if (!Number.isSafeInteger(limit) || limit < 1) {
    throw new RangeError(`${limit} is not a limit: it is a whole number from 1 on.`);
  }
}
