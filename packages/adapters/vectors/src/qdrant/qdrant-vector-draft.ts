import type {
  VectorIndexDraft,
  VectorPoint,
  VectorSpace,
} from '@sightline/core/vectors/vector-index';
import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import type { Logger } from '@sightline/platform/logging/logger';
import { requireVectors } from './check-vectors.ts';
import type { CollectionNames } from './collection-names.ts';
import type { CollectionPoints } from './collection-points.ts';
import type { AliasAction, IndexCollections } from './index-collections.ts';
import type { Limits, QdrantConnection } from './qdrant-connection.ts';

export interface QdrantVectorDraftDeps {
  readonly connection: QdrantConnection;
  readonly names: CollectionNames;
  readonly collections: IndexCollections;
  readonly points: CollectionPoints;
  readonly logger: Logger;
  readonly generation: string;
}

/**
 * A new index that is being filled: the collections of a generation that no alias refers to yet. If another process
 * begins a draft, that process deletes the collections of this draft. This draft notices the deletion, because the
 * list of its generation no longer exists.
 */
export class QdrantVectorDraft implements VectorIndexDraft {
  readonly #deps: QdrantVectorDraftDeps;
  readonly #created = new Map<string, Promise<void>>();
  #state: 'open' | 'published' | 'discarded' = 'open';

  constructor(deps: QdrantVectorDraftDeps) {
    this.#deps = deps;
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
    this.#requireOpen(signal);
    const { connection } = this.#deps;
    const name = await this.#ensureCreated(space, connection.limits('change', signal));
    const limits = () => connection.limits('write', signal);
    const written = await this.#deps.points.upsert({ name, space }, points, limits);
    if (!written) throw this.#closed();
  }

  async remove(space: VectorSpace, ids: readonly number[], signal?: AbortSignal): Promise<void> {
    this.#requireOpen(signal);
    const { connection, names, generation, points } = this.#deps;
    const name = names.collection({ space, generation });
    if (!this.#created.has(name)) return;
    const limits = () => connection.limits('write', signal);
    if (!(await points.remove({ name, space }, ids, limits))) throw this.#closed();
  }

  /**
   * Publishes the draft. Qdrant applies all alias changes at once, but saves them one by one. The alias that marks the
   * index as complete is deleted first and created last, so that the index is incomplete if the server crashes between
   * two saves.
   */
  async publish(signal?: AbortSignal): Promise<void> {
    this.#requireOpen(signal);
    const { connection, collections, generation, names } = this.#deps;
    const limits = connection.limits('change', signal);
    if ((await collections.listed(generation, limits)) === null) throw this.#closed();
    const { aliases } = await collections.published(limits);
    const complete = { alias_name: names.complete };
    const list = names.collection({ space: null, generation });
    const actions: AliasAction[] = [
      { delete_alias: complete },
      ...[...aliases.keys()]
        .filter((alias) => alias !== names.complete)
        .map((alias_name) => ({ delete_alias: { alias_name } })),
      ...[...this.#created.keys()].map((collection_name) => ({
        create_alias: { collection_name, alias_name: names.aliasOf(collection_name) },
      })),
      { create_alias: { ...complete, collection_name: list } },
    ];
    if (!(await collections.switchAliases(actions, limits))) throw this.#closed();
    this.#state = 'published';
    await this.#removeOtherGenerations(generation);
  }

  async discard(): Promise<void> {
    if (this.#state !== 'open') return;
    this.#state = 'discarded';
    const { connection, collections, generation, logger, names } = this.#deps;
    const limits = connection.limits('change');
    try {
      const published = await collections.published(limits);
      // The draft may be published already, if the response to the publish request was lost.
      if (published.generation === generation) return;
      const all = await collections.names(limits);
      const own = all.filter((name) => names.parse(name)?.generation === generation);
      await collections.remove(own, limits);
    } catch (error) {
      logger.warn(
        { err: error },
        'could not delete a discarded draft of the vector index; the next draft deletes it',
      );
    }
  }

  async #ensureCreated(space: VectorSpace, limits: Limits): Promise<string> {
    const { names, generation } = this.#deps;
    const name = names.collection({ space, generation });
    const creating = this.#created.get(name) ?? this.#create(name, space, limits);
    this.#created.set(name, creating);
    try {
      await creating;
    } catch (error) {
      this.#created.delete(name);
      throw error;
    }
    return name;
  }

  async #create(name: string, space: VectorSpace, limits: Limits): Promise<void> {
    const { collections, generation } = this.#deps;
    // The collection is listed first, so that a discarded draft cannot create a collection that is never deleted.
    if (!(await collections.list(generation, name, limits))) throw this.#closed();
    await collections.create(name, space, limits);
  }

  /** Deletes the previous generation. If this fails, the next draft deletes it. */
  async #removeOtherGenerations(generation: string): Promise<void> {
    const { connection, collections, logger, names } = this.#deps;
    try {
      const limits = connection.limits('change');
      const all = await collections.names(limits);
      const previous = all.filter((name) => names.parse(name)?.generation !== generation);
      await collections.remove(previous, limits);
    } catch (error) {
      logger.warn(
        { err: error },
        'could not delete the previous vector index; the next draft deletes it',
      );
    }
  }

  #requireOpen(signal: AbortSignal | undefined): void {
    signal?.throwIfAborted();
    if (this.#state !== 'open') throw this.#closed();
  }

  #closed(): VectorsUnavailable {
    if (this.#state === 'open') this.#state = 'discarded';
    return new VectorsUnavailable(`This draft of the vector index is ${this.#state}.`);
  }
}
