import type { IdentityHit, PointHit, VectorQuery } from '@sightline/core/vectors/vector-index';
import type { Part } from './collection-points.ts';
import { identityOf, IDENTITY, ofEnvironment } from './payload.ts';
import { entityId } from './point-ids.ts';
import type { Limits, QdrantConnection } from './qdrant-connection.ts';

/**
 * The least number of candidates that are rescored with the full vectors, and the least number for each requested point.
 * The candidates come from a scan of the environment's vectors, quantized to one byte per value.
 */
const CANDIDATES = 300;
const CANDIDATES_PER_POINT = 3;
const VECTORS_PER_REQUEST = 64;
/** The number of points that the first round requests for each requested identity. */
const POINTS_PER_IDENTITY = 3;
const MAX_POINTS = 2000;

interface Search {
  readonly vector: Float32Array;
  readonly limit: number;
  /** The ids of identities to skip; null means that points without identity are included. */
  readonly skipped: readonly number[] | null;
}

/** Searches in a collection. Methods return null if the collection does not exist. */
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
    const searches = vectors.map((vector) => ({ vector, limit, skipped: null }));
    return this.#search(part, searches, limits);
  }

  /**
   * Finds the nearest identities. Points are grouped by identity here and not by Qdrant, which gives up after a few
   * rounds if one identity has many points, and does not say whether its result is complete. A search for points has
   * no such limit: if it returns fewer points than requested, there are no others.
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
    for (let start = 0; start < searches.length; start += VECTORS_PER_REQUEST) {
      const some = searches.slice(start, start + VECTORS_PER_REQUEST);
      const body = some.map((search) => queryOf(space.environmentId, search));
      const found = await this.#connection.request(
        (api, init) => api.queryBatchPoints({ collection_name: name, searches: body }, init),
        limits,
      );
      if (found === null) return null;
      answers.push(...found.map(({ points }) => points.map(hitOf).sort(byCosine)));
    }
    return answers;
  }
}

/** The identities found for one vector, in as many rounds as needed. */
class IdentityRanking {
  readonly hits: IdentityHit[] = [];
  readonly #vector: Float32Array;
  readonly #limit: number;
  readonly #skipped: number[] = [];
  #requested = 0;
  isOpen = true;

  constructor(vector: Float32Array, limit: number) {
    this.#vector = vector;
    this.#limit = limit;
  }

  /**
   * The search of the next round. Each round requests twice as many points as the previous one, because an identity may
   * have many points.
   */
  next(): Search {
    const next = Math.max(this.#limit * POINTS_PER_IDENTITY, this.#requested * 2);
    this.#requested = Math.max(this.#limit, Math.min(next, MAX_POINTS));
    return { vector: this.#vector, limit: this.#requested, skipped: [...this.#skipped] };
  }

  take(points: readonly PointHit[]): void {
    const found = new Set(this.#skipped);
    for (const { id, identityId, cosine } of points) {
      if (identityId === null || found.has(identityId)) continue;
      found.add(identityId);
      this.#skipped.push(identityId);
      this.hits.push({ identityId, pointId: id, cosine });
    }
    this.isOpen = this.hits.length < this.#limit && points.length === this.#requested;
    if (this.isOpen) return;
    this.hits.sort((a, b) => b.cosine - a.cosine || a.identityId - b.identityId);
    this.hits.splice(this.#limit);
  }
}

function queryOf(environmentId: number, { vector, limit, skipped }: Search) {
  const must = [ofEnvironment(environmentId)];
  const oversampling = Math.max(CANDIDATES_PER_POINT, CANDIDATES / limit);
  return {
    query: Array.from(vector),
    limit,
    params: { quantization: { rescore: true, oversampling } },
    with_payload: [IDENTITY],
    filter: skipped === null ? { must } : { must, must_not: skipConditions(skipped) },
  };
}

function skipConditions(identities: readonly number[]) {
  const unknown = { is_empty: { key: IDENTITY } };
  return identities.length === 0
    ? [unknown]
    : [unknown, { key: IDENTITY, match: { any: [...identities] } }];
}

function hitOf(point: { readonly id: string | number; readonly score: number; payload?: unknown }) {
  // The dot product of rounded unit vectors may slightly exceed 1.
  const cosine = Math.min(1, Math.max(-1, point.score));
  return { id: entityId(point.id), identityId: identityOf(point.payload), cosine };
}

function byCosine(a: PointHit, b: PointHit): number {
  return b.cosine - a.cosine || a.id - b.id;
}
