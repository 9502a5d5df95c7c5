import { randomBytes } from 'node:crypto';
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
import type { RequireAnswer } from '@sightline/platform/resilience/guard';
import { requireLimit, requireQuery, requireVectors } from './check-vectors.ts';
import { CollectionNames } from './collection-names.ts';
import { CollectionPoints } from './collection-points.ts';
import { CollectionSearches } from './collection-searches.ts';
import { IndexCollections } from './index-collections.ts';
import { PublishedCollections } from './published-collections.ts';
import { type Limits, QdrantConnection } from './qdrant-connection.ts';
import type { QdrantOptions } from './qdrant-options.ts';
import { QdrantVectorDraft, type QdrantVectorDraftDeps } from './qdrant-vector-draft.ts';

/**
 * A vector index on a Qdrant server, which several processes may share. Each kind of vector of each model has one
 * collection for all environments, which is addressed by an alias. The index needs no disposal, because idle
 * connections close by themselves and do not keep the process alive.
 */
export class QdrantVectorIndex implements VectorIndex {
  readonly #deps: Omit<QdrantVectorDraftDeps, 'generation'>;
  readonly #searches: CollectionSearches;
  readonly #published: PublishedCollections;
  readonly #requireAnswer: RequireAnswer;

  /** @throws RangeError if the installation is not a UUID, or the API key is not a valid header value */
  constructor(options: QdrantOptions) {
    const { installation, shards = 1, replicas = 1, logger } = options;
    warnIfKeyIsUnencrypted(options);
    const connection = new QdrantConnection(options);
    const names = new CollectionNames(installation);
    const collections = new IndexCollections(connection, names, { shards, replicas });
    const points = new CollectionPoints(connection, replicas);
    this.#deps = { connection, names, collections, points, logger };
    this.#searches = new CollectionSearches(connection);
    this.#published = new PublishedCollections(names, collections, this.#searches);
    this.#requireAnswer =
      options.requireAnswer ??
      (async (signal) => {
        await collections.published(connection.limits('read', signal));
      });
  }

  async upsert(
    space: VectorSpace,
    points: readonly VectorPoint[],
    signal?: AbortSignal,
  ): Promise<void> {
    requireVectors(
      space,
      points.map(({ vector }) => vector),
    );
    const { connection, names, points: collection } = this.#deps;
    const part = { name: names.alias(space), space };
    const limits = () => connection.limits('write', signal);
    if (await collection.upsert(part, points, limits)) return;
    await this.#published.createSpace(space, connection.limits('change', signal));
    if (!(await collection.upsert(part, points, limits))) throw lost();
  }

  async remove(space: VectorSpace, ids: readonly number[], signal?: AbortSignal): Promise<void> {
    const { connection, points } = this.#deps;
    const limits = () => connection.limits('write', signal);
    await this.#inSpace(space, limits(), async (name) => {
      return (await points.remove({ name, space }, ids, limits)) || null;
    });
  }

  async searchIdentities(
    space: VectorSpace,
    query: VectorQuery,
    signal?: AbortSignal,
  ): Promise<readonly (readonly IdentityHit[])[]> {
    requireQuery(space, query);
    const limits = this.#deps.connection.limits('read', signal);
    const hits = await this.#inSpace(space, limits, (name) =>
      this.#searches.identities({ name, space }, query, limits),
    );
    return hits ?? query.vectors.map(() => []);
  }

  async searchPoints(
    space: VectorSpace,
    query: VectorQuery,
    signal?: AbortSignal,
  ): Promise<readonly (readonly PointHit[])[]> {
    requireQuery(space, query);
    const limits = this.#deps.connection.limits('read', signal);
    const hits = await this.#inSpace(space, limits, (name) =>
      this.#searches.points({ name, space }, query, limits),
    );
    return hits ?? query.vectors.map(() => []);
  }

  async list(
    space: VectorSpace,
    page: { readonly after: number; readonly limit: number },
    signal?: AbortSignal,
  ): Promise<readonly IndexedEntry[]> {
    requireLimit(page.limit);
    const limits = this.#deps.connection.limits('read', signal);
    const entries = await this.#inSpace(space, limits, (name) =>
      this.#deps.points.list({ name, space }, page, limits),
    );
    return entries ?? [];
  }

  async dropEnvironment(environmentId: number, signal?: AbortSignal): Promise<void> {
    const { connection, collections, names, points } = this.#deps;
    for (const name of await collections.names(connection.limits('change', signal))) {
      if (names.parse(name)?.space === null) continue;
      await points.removeEnvironment(name, environmentId, connection.limits('write', signal));
    }
  }

  async state(signal?: AbortSignal): Promise<VectorIndexState> {
    try {
      return await this.#published.state(this.#deps.connection.limits('read', signal));
    } catch {
      return 'unavailable';
    }
  }

  async requireAnswer(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    await this.#requireAnswer(signal);
    await this.#published.requireIndex(() => this.#deps.connection.limits('read', signal));
  }

  /** Begins a draft, and deletes the collections that drafts of crashed processes have left behind. */
  async begin(signal?: AbortSignal): Promise<QdrantVectorDraft> {
    const { connection, collections, names } = this.#deps;
    const limits = connection.limits('change', signal);
    const published = await collections.published(limits);
    const all = await collections.names(limits);
    const abandoned = all.filter((name) => names.parse(name)?.generation !== published.generation);
    await collections.remove(abandoned, limits);
    const generation = randomBytes(4).toString('hex');
    if (!(await collections.createList(generation, limits))) {
      throw new VectorsUnavailable(`The draft ${generation} of the vector index already exists.`);
    }
    return new QdrantVectorDraft({ ...this.#deps, generation });
  }

  /**
   * Runs an operation on the collection of a space; null if no points were ever written to the space.
   *
   * @throws VectorsUnavailable if the index is incomplete or has lost the space
   */
  async #inSpace<T>(
    space: VectorSpace,
    limits: Limits,
    run: (alias: string) => Promise<T | null>,
  ): Promise<T | null> {
    const alias = this.#deps.names.alias(space);
    const answer = await run(alias);
    if (answer !== null || !(await this.#published.hasSpace(space, limits))) return answer;
    // The first attempt found no collection, but another process has created it since, so the operation is repeated.
    const second = await run(alias);
    if (second === null) throw lost();
    return second;
  }
}

function lost(): VectorsUnavailable {
  return new VectorsUnavailable('The vector index has lost a collection and must be rebuilt.');
}

function warnIfKeyIsUnencrypted({ url, apiKey, logger }: QdrantOptions): void {
  if (apiKey === undefined || url.protocol === 'https:' || isLoopback(url.hostname)) return;
  logger.warn({ host: url.host }, 'the API key of Qdrant is sent unencrypted over the network');
}

function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
