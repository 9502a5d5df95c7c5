import { type FollowedSpace, keyOfSpace } from '@sightline/core/groups/followed-space';
import type { OpenFace } from '@sightline/core/groups/open-face';
import type {
  NearFaces,
  OpenFaceVectors,
  StrangerVectors,
} from '@sightline/core/similarity/open-face-vectors';
import type { VectorSpace } from '@sightline/core/vectors/vector-index';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import type { LeastCosine } from './space-points.ts';
import { packQuery, sendPoints } from './vector-requests.ts';
import { VectorThread } from './vector-thread.ts';

const SCRIPT = new URL('./face-vector-worker.ts', import.meta.url);
/** The most vectors that one request compares, so that the memory of the results stays small. */
const QUERIES = 32;

/**
 * The vectors of open faces in the memory of a worker thread of their own, so that searches for similarity and searches
 * of requests do not wait for each other. A thread that was lost is replaced; spaces that it had can be used again once they
 * were forgotten.
 */
export class EmbeddedFaceVectors implements OpenFaceVectors, AsyncDisposable {
  readonly #script: URL;
  #thread: Promise<VectorThread> | null = null;
  /** The thread in which each space began. */
  readonly #threads = new Map<string, Promise<VectorThread>>();

  /** @param script the module of the thread, which tests replace */
  constructor(script = SCRIPT) {
    this.#script = script;
  }

  async upsert(space: FollowedSpace, faces: readonly OpenFace[]): Promise<void> {
    if (faces.length === 0) return;
    const points = faces.map(({ id, isStranger, vector }) => ({
      id,
      // An identity tells faces with one from strangers; no search returns it.
      identityId: isStranger ? null : 1,
      fingerprint: 0,
      vector,
    }));
    await sendPoints(await this.#threadOf(space), { space: facesOf(space), points });
  }

  async remove(space: FollowedSpace, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    const thread = await this.#threadOf(space);
    await thread.call({ do: 'remove', space: facesOf(space), ids: Float64Array.from(ids) });
  }

  async nearest(
    space: FollowedSpace,
    vectors: readonly Float32Array[],
    limit: number,
  ): Promise<readonly NearFaces[]> {
    const thread = await this.#threadOf(space);
    return inParts(vectors, (part) => {
      const query = packQuery(facesOf(space), { vectors: part, limit });
      const transfer = [query.vectors.buffer];
      return thread.call({ do: 'nearestUnnamed', ...query }, { transfer });
    });
  }

  above(
    space: FollowedSpace,
    vectors: readonly Float32Array[],
    least: number,
  ): Promise<readonly NearFaces[]> {
    return this.#above(space, vectors, { least, unnamedOnly: false });
  }

  strangersAbove(
    space: FollowedSpace,
    vectors: readonly Float32Array[],
    least: number,
  ): Promise<readonly NearFaces[]> {
    return this.#above(space, vectors, { least, unnamedOnly: true });
  }

  async #above(
    space: FollowedSpace,
    vectors: readonly Float32Array[],
    rule: LeastCosine,
  ): Promise<readonly NearFaces[]> {
    const thread = await this.#threadOf(space);
    return inParts(vectors, (part) => {
      const query = packQuery(facesOf(space), { vectors: part, limit: 1 });
      const transfer = [query.vectors.buffer];
      return thread.call({ do: 'above', ...query, ...rule }, { transfer });
    });
  }

  async strangers(space: FollowedSpace): Promise<StrangerVectors> {
    const thread = await this.#threadOf(space);
    return thread.call({ do: 'unnamed', space: facesOf(space) });
  }

  async vectors(space: FollowedSpace, ids: readonly number[]): Promise<readonly Float32Array[]> {
    const thread = await this.#threadOf(space);
    return thread.call({ do: 'vectors', space: facesOf(space), ids: Float64Array.from(ids) });
  }

  async forget(space: FollowedSpace): Promise<void> {
    const begun = this.#threads.get(keyOfSpace(space));
    this.#threads.delete(keyOfSpace(space));
    if (begun === undefined || begun !== this.#thread) return;
    const thread = await begun;
    await thread.call({ do: 'dropSpace', space: facesOf(space) });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const thread = await this.#thread?.catch(() => null);
    await thread?.close();
  }

  /** @throws VectorsUnavailable if the thread with the vectors of the space was lost, until the space is forgotten */
  #threadOf(space: FollowedSpace): Promise<VectorThread> {
    const key = keyOfSpace(space);
    const begun = this.#threads.get(key) ?? this.#started();
    this.#threads.set(key, begun);
    if (begun === this.#thread) return begun;
    throw new VectorsUnavailable('The vectors of open faces were lost.');
  }

  #started(): Promise<VectorThread> {
    if (this.#thread !== null) return this.#thread;
    const started = VectorThread.start({
      script: this.#script,
      onLost: () => (this.#thread = null),
    });
    this.#thread = started;
    started.catch(() => (this.#thread = null));
    return started;
  }
}

async function inParts(
  vectors: readonly Float32Array[],
  search: (part: readonly Float32Array[]) => Promise<readonly NearFaces[]>,
): Promise<readonly NearFaces[]> {
  const found: NearFaces[] = [];
  for (let start = 0; start < vectors.length; start += QUERIES) {
    found.push(...(await search(vectors.slice(start, start + QUERIES))));
  }
  return found;
}

function facesOf(space: FollowedSpace): VectorSpace {
  const { environmentId, modelId, dimension } = space;
  return { environmentId, modelId, dimension, kind: 'faces' };
}
