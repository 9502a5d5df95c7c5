import type { IdentityHit, PointHit, VectorQuery } from '@sightline/core/vectors/vector-index';
import type { Part } from './collection-points.ts';
import { identityOf, IDENTITY, ofEnvironment } from './payload.ts';
import { entityId } from './point-ids.ts';
import type { Limits, QdrantConnection } from './qdrant-connection.ts';

/**
 * The graph is walked with a list of 128 candidates, over vectors of a byte per value; thrice as many
 * as are wanted are then compared in full.
 */
const PARAMS = { hnsw_ef: 128, quantization: { rescore: true, oversampling: 3 } };
/** Vectors of one request. */
const VECTORS_AT_ONCE = 64;
/** Points that are looked at first for each identity that is wanted. */
const POINTS_PER_IDENTITY = 3;
const MOST_POINTS = 2000;

/** One vector that is searched for. */
interface Search {
  readonly vector: Float32Array;
  readonly limit: number;
  /** Identities that are passed over, or null if points without one count too. */
  readonly except: readonly number[] | null;
}

/** Searches in a collection. Null where it is not there. */
export class CollectionSearches {
  readonly #connection: QdrantConnection;

  constructor(connection: QdrantConnection) {
    this.#connection = connection;
  }

  async points(
    part: Part,
    { vectors, limit }: VectorQuery,
    limits: Limits,
  ): Promise<readonly (readonly PointHit[])[] | null> {
    const searches = vectors.map((vector) => ({ vector, limit, except: null }));
    return this.#search(part, searches, limits);
  }

  /**
   * Groups points by identity here: an answer with fewer points than were asked for has all that
   * there are, which the server's own groups do not tell, and it gives up after a few rounds where
   * one identity has many points.
   */
  async identities(
    part: Part,
    { vectors, limit }: VectorQuery,
    limits: Limits,
  ): Promise<readonly (readonly IdentityHit[])[] | null> {
    const rankings = vectors.map((vector) => new IdentityRanking(vector, limit));
    for (let open = rankings; open.length > 0; open = open.filter(({ isOpen }) => isOpen)) {
      const searches = open.map((ranking) => ranking.next());
      const answers = await this.#search(part, searches, limits);
      if (answers === null) return null;
      for (const [index, ranking] of open.entries()) ranking.take(answers[index]!);
    }
    return rankings.map(({ hits }) => hits);
  }

  async #search(
    { name, space }: Part,
    searches: readonly Search[],
    limits: Limits,
  ): Promise<PointHit[][] | null> {
    const answers: PointHit[][] = [];
    for (let start = 0; start < searches.length; start += VECTORS_AT_ONCE) {
      const some = searches.slice(start, start + VECTORS_AT_ONCE);
      const body = some.map((search) => queryOf(space.environmentId, search));
      const found = await this.#connection.ask(
        (api, init) => api.queryBatchPoints({ collection_name: name, searches: body }, init),
        limits,
      );
      if (found === null) return null;
      answers.push(...found.map(({ points }) => points.map(hitOf).sort(byCosine)));
    }
    return answers;
  }
}

/** The identities found for one vector, over as many rounds as it takes. */
class IdentityRanking {
  readonly hits: IdentityHit[] = [];
  readonly #vector: Float32Array;
  readonly #limit: number;
  readonly #except: number[] = [];
  #asked = 0;
  isOpen = true;

  constructor(vector: Float32Array, limit: number) {
    this.#vector = vector;
    this.#limit = limit;
  }

  /** Each round asks for twice as many points as the one before: somebody has many. */
  next(): Search {
    const wanted = Math.max(this.#limit * POINTS_PER_IDENTITY, this.#asked * 2);
    this.#asked = Math.max(this.#limit, Math.min(wanted, MOST_POINTS));
    return { vector: this.#vector, limit: this.#asked, except: [...this.#except] };
  }

  take(points: readonly PointHit[]): void {
    const found = new Set(this.#except);
    for (const { id, identityId, cosine } of points) {
      if (identityId === null || found.has(identityId)) continue;
      found.add(identityId);
      this.#except.push(identityId);
      this.hits.push({ identityId, pointId: id, cosine });
    }
    this.isOpen = this.hits.length < this.#limit && points.length === this.#asked;
    if (this.isOpen) return;
    this.hits.sort((a, b) => b.cosine - a.cosine || a.identityId - b.identityId);
    this.hits.splice(this.#limit);
  }
}

function queryOf(environmentId: number, { vector, limit, except }: Search) {
  const must = [ofEnvironment(environmentId)];
  return {
    ...{ query: Array.from(vector), limit, params: PARAMS, with_payload: [IDENTITY] },
    filter: except === null ? { must } : { must, must_not: passedOver(except) },
  };
}

function passedOver(identities: readonly number[]) {
  const unknown = { is_empty: { key: IDENTITY } };
  return identities.length === 0
    ? [unknown]
    : [unknown, { key: IDENTITY, match: { any: [...identities] } }];
}

function hitOf(point: { readonly id: string | number; readonly score: number; payload?: unknown }) {
  // Dot products of rounded unit vectors may be a little more.
  const cosine = Math.min(1, Math.max(-1, point.score));
  return { id: entityId(point.id), identityId: identityOf(point.payload), cosine };
}

function byCosine(a: PointHit, b: PointHit): number {
  return b.cosine - a.cosine || a.id - b.id;
}
